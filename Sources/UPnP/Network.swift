/// Addresses and interfaces are part of what this library offers, without another import.
@_exported import Network
