import Testing

/// Parent of all suites that play on a sound card. They run one at a time, because the environment selects the card.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OnASoundCard {}
