/** How long clients may take, and how much they may say. */
export type ImapLimits = {
  /** Until somebody has signed in, all together. */
  signInMs: number
  /** RFC 9051 §5.4: at least 30 minutes. */
  idleMs: number
  /** While it idles a client is sent something this often, so that NATs and proxies do not drop the connection. */
  keepAliveMs: number
  /** From the first byte of a line to its end. */
  lineMs: number
  /** Literals have to come at least this fast, counted over `rateWindowMs`. */
  bytesPerSecond: number
  rateWindowMs: number
  /** A peer that does not read what we answer. */
  writeMs: number
  handshakeMs: number
  lineBytes: number
  /** Literals in memory before sign-in, and after it; all of a command together. */
  strangerLiteralBytes: number
  literalBytes: number
  commandBytes: number
  /** Literals of one command. */
  literals: number
  /** Commands that make no sense, one after the other. */
  badCommands: number
  /** Commands without a sign-in. */
  strangerCommands: number
  /** Wrong passwords. */
  failedSignIns: number
}

export const DEFAULT_LIMITS: ImapLimits = {
  signInMs: 60_000,
  idleMs: 30 * 60_000,
  keepAliveMs: 4 * 60_000,
  lineMs: 60_000,
  bytesPerSecond: 500,
  rateWindowMs: 20_000,
  writeMs: 60_000,
  handshakeMs: 20_000,
  lineBytes: 65_536,
  strangerLiteralBytes: 8_192,
  literalBytes: 262_144,
  commandBytes: 1_048_576,
  literals: 5_000,
  badCommands: 20,
  strangerCommands: 50,
  failedSignIns: 3,
}

/** Larger literals of commands that take messages go to the blob store while they arrive. */
export const MEMORY_LITERAL_BYTES = 65_536
/** Too long a command is read up to here, so that the client gets the error; then the connection is closed. */
export const SKIPPED_BYTES = 4 * 2 ** 20
/** All messages of one command. */
export const MESSAGES_PER_COMMAND = 10
