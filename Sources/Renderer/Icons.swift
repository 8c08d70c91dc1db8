import DeviceStack

enum Icons { static let all: [Icon] = [] }
