import NIOCore
import Network
import Songcast

func endpoint(_ text: String) -> Endpoint {
  Endpoint(text) ?? Endpoint(address: IPAddress(bits: 0), port: 0)
}

/// A frame of mono sound at 44.1 kHz with 100 ms of latency, as ordinary senders send it.
func frame(number: UInt32, start: UInt64? = nil, flags: AudioFrame.Flags = [], samples: UInt16 = 220) -> AudioFrame {
  AudioFrame(
    flags: flags, number: number, mediaLatency: 1_128_960, sampleStart: start ?? UInt64(number) * UInt64(samples),
    samplesTotal: 0,
    format: AudioFormat(sampleRate: 44100, bitDepth: 16, channels: 1, codec: "WAV", isLossless: true),
    bitRate: 705_600, sampleCount: samples,
    pcm: ByteBuffer(repeating: UInt8(truncatingIfNeeded: number), count: Int(samples) * 2))
}
