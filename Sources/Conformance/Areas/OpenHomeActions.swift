/// The actions of OpenHome's services, from the SCPDs of version 1 in openhome/ohNetGenerated and openhome/ohNet. Later
/// versions have more.
enum OpenHomeActions {
  /// Separated by spaces, by service.
  static let all: KeyValuePairs = [
    "Product": """
    Manufacturer Model Product Standby SetStandby SourceCount SourceXml SourceIndex SetSourceIndex \
    SetSourceIndexByName Source Attributes SourceXmlChangeCount
    """,
    "Playlist": """
    Play Pause Stop Next Previous SetRepeat Repeat SetShuffle Shuffle SeekSecondAbsolute \
    SeekSecondRelative SeekId SeekIndex TransportState Id Read ReadList Insert DeleteId DeleteAll \
    TracksMax IdArray IdArrayChanged ProtocolInfo
    """,
    "Radio": """
    Play Pause Stop SeekSecondAbsolute SeekSecondRelative Channel SetChannel TransportState Id SetId \
    Read ReadList IdArray IdArrayChanged ChannelsMax ProtocolInfo
    """,
    "Info": """
    Counters Track Details Metatext
    """,
    "Time": """
    Time
    """,
    "Volume": """
    Characteristics SetVolume VolumeInc VolumeDec Volume SetBalance BalanceInc BalanceDec Balance \
    SetFade FadeInc FadeDec Fade SetMute Mute VolumeLimit
    """,
    "Transport": """
    PlayAs Play Pause Stop SkipNext SkipPrevious SetRepeat SetShuffle SeekSecondAbsolute \
    SeekSecondRelative TransportState Modes ModeInfo StreamInfo StreamId Repeat Shuffle
    """,
    "Pins": """
    GetDeviceMax GetAccountMax GetModes GetIdArray GetCloudConnected ReadList InvokeId InvokeIndex \
    InvokeUri SetDevice SetAccount Clear Swap
    """,
    "Receiver": """
    Play Stop SetSender Sender ProtocolInfo TransportState
    """,
    "Sender": """
    PresentationUrl Metadata Audio Status Attributes
    """,
    "Credentials": """
    Set Clear SetEnabled Get Login ReLogin GetIds GetPublicKey GetSequenceNumber
    """,
  ]
}
