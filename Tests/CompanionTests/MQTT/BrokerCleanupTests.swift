import Testing

@testable import Companion

@Suite struct BrokerCleanupTests {
  private typealias Action = BrokerCleanup.Action

  private static let announcement = "homeassistant/device/x/config"

  /// A cleanup that has published below `old` before, and is connected with the prefix `new`; its request has the id 7.
  private static func connected() -> BrokerCleanup {
    var cleanup = BrokerCleanup(nil, announcementTopic: announcement)
    _ = cleanup.begin(host: "a", prefix: "old", announces: false)
    let request = BrokerCleanup.Request.availability(prefix: "old")
    let actions = cleanup.begin(host: "a", prefix: "new", announces: false)
    #expect(actions == [.save, .subscribe("old/availability", request)])
    cleanup.sent(request, id: 7)
    return cleanup
  }

  private static func availability(_ payload: String, topic: String = "old/availability") -> MosquittoClient.Event {
    .message(IncomingMessage(topic: topic, payload: Array(payload.utf8), isRetained: true))
  }

  /// Whether the next connection asks for the old prefix again.
  private static func remembers(_ cleanup: BrokerCleanup) -> Bool {
    var next = BrokerCleanup(cleanup.text, announcementTopic: announcement)
    return !next.begin(host: "a", prefix: "new", announces: false).isEmpty
  }

  @Test func theTopicsBelowAFormerPrefixAreRemoved() {
    var cleanup = Self.connected()
    #expect(cleanup.handle(.subscribed(id: 7, isAllowed: true)) == [])
    let actions = cleanup.handle(Self.availability("offline")) ?? []
    #expect(actions.count == MQTTState.topics.count + 1)
    for (index, action) in actions.enumerated() {
      guard case .remove(_, let request) = action else {
        Issue.record("\(action)")
        continue
      }
      cleanup.sent(request, id: Int32(index + 8))
    }
    #expect(actions.last == .remove("old/availability", .topic(prefix: "old", isLast: true)))
    #expect(cleanup.idle() == [])
    let last = Int32(actions.count + 7)
    for id in 8..<last { #expect(cleanup.handle(.published(id: id, reason: 0)) == []) }
    #expect(Self.remembers(cleanup))
    let notice = "the topics below the former prefix old/ are removed from the broker."
    #expect(cleanup.handle(.published(id: last, reason: 0)) == [.notice(notice), .save])
    #expect(!Self.remembers(cleanup))
  }

  /// After 65535 packets, a message has the id of the subscription.
  @Test func theIdOfAnAnsweredSubscriptionIsFree() {
    var cleanup = Self.connected()
    #expect(cleanup.handle(.subscribed(id: 7, isAllowed: true)) == [])
    #expect(cleanup.handle(.published(id: 7, reason: 0)) == nil)
    #expect(Self.remembers(cleanup))
  }

  @Test func aBrokerWithoutTheTopicsIsNotAskedAgain() {
    var cleanup = Self.connected()
    // The broker has not answered yet.
    #expect(cleanup.idle() == [])
    #expect(Self.remembers(cleanup))
    _ = cleanup.handle(.subscribed(id: 7, isAllowed: true))
    #expect(cleanup.idle() == [.save])
    #expect(!Self.remembers(cleanup))
    #expect(cleanup.idle() == [])
    // Better late than never.
    #expect(cleanup.handle(Self.availability("offline"))?.count == MQTTState.topics.count + 1)
  }

  @Test func theRetainedMessageMayOvertakeTheAnswer() {
    var cleanup = Self.connected()
    #expect(cleanup.handle(Self.availability("offline"))?.count == MQTTState.topics.count + 1)
    #expect(cleanup.handle(.subscribed(id: 7, isAllowed: true)) == [])
    #expect(cleanup.idle() == [])
    #expect(Self.remembers(cleanup))
  }

  @Test func anotherSpeakerKeepsItsTopics() {
    var cleanup = Self.connected()
    #expect(cleanup.handle(Self.availability("online")) == [.save])
    #expect(!Self.remembers(cleanup))
  }

  @Test func aBrokerThatDoesNotAllowItIsNotAskedAgain() {
    var cleanup = Self.connected()
    let notice = "the broker does not allow the speaker to remove its topics below the former prefix old/."
    #expect(cleanup.handle(.subscribed(id: 7, isAllowed: false)) == [.notice(notice), .save])
    #expect(!Self.remembers(cleanup))
  }

  @Test func theMessageOfHomeAssistantIsRemoved() {
    var cleanup = BrokerCleanup(nil, announcementTopic: Self.announcement)
    _ = cleanup.begin(host: "a", prefix: "new", announces: true)
    #expect(cleanup.begin(host: "a", prefix: "new", announces: false) == [.remove(Self.announcement, .announcement)])
    cleanup.sent(.announcement, id: 1)
    #expect(cleanup.handle(.published(id: 1, reason: 0)) == [.save])
    #expect(!Self.remembers(cleanup))
  }

  @Test func eventsOfOthersAreLeftToThem() {
    var cleanup = Self.connected()
    #expect(cleanup.handle(.published(id: 3, reason: 0)) == nil)
    #expect(cleanup.handle(.subscribed(id: 3, isAllowed: false)) == nil)
    #expect(cleanup.handle(Self.availability("offline", topic: "other/availability")) == nil)
    #expect(cleanup.handle(.connected) == nil)
  }
}
