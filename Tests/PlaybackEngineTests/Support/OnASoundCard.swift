import Testing

/// Whatever plays on a sound card: one at a time, since the libraries learn from the environment which card there is.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OnASoundCard {}
