import { MAX_SCRIPT_BYTES } from '../../receiving/filters/filters.ts'

/** What one connection may take. */
export type ManageSieveLimits = {
  /** Octets of a command without its literals: two names of 512 bytes, every one of them escaped, fit. */
  lineBytes: number
  /** Literals of somebody who has not signed in: a SASL response. */
  earlyLiteralBytes: number
  literalBytes: number
  /** Too large a literal is read and discarded up to here; a client that announces more is disconnected. */
  skippedBytes: number
  /** Until the first byte of a command: RFC 5804 §1.7 asks for half an hour once somebody has signed in. */
  earlyIdleMs: number
  idleMs: number
  /** From the first byte of a command to its end. */
  commandMs: number
  /** How long a client may take to read an answer. */
  writeMs: number
  /** Wrong commands in a row, and wrong passwords. */
  errors: number
  failures: number
  /** Connections of one mailbox. */
  perAddress: number
}

export const defaultLimits: ManageSieveLimits = {
  lineBytes: 8_192,
  earlyLiteralBytes: 8_192,
  literalBytes: MAX_SCRIPT_BYTES,
  skippedBytes: 16 * MAX_SCRIPT_BYTES,
  earlyIdleMs: 60_000,
  idleMs: 30 * 60_000,
  commandMs: 60_000,
  writeMs: 30_000,
  errors: 10,
  failures: 3,
  perAddress: 10,
}

/** Arguments of one command; none has more than two. */
export const MAX_ARGUMENTS = 4
/** RFC 5804 §4: a longer string comes as a literal. */
export const MAX_QUOTED = 1_024
