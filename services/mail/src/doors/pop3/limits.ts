import type { LineLimits } from '../../wire/smtp/smtp.ts'

/** How long clients may take, and how much they may say. */
export type Pop3Limits = LineLimits & {
  /** How long a client that has not signed in may be silent. */
  strangerMs: number
  /** A peer that does not read what we answer. */
  writeMs: number
  handshakeMs: number
  /** The answer to a wrong password comes so much later. */
  failureMs: number
  /** Wrong passwords on one connection. */
  failedSignIns: number
  /** Commands that make no sense on one connection. */
  badCommands: number
  /** Commands without a sign-in. */
  strangerCommands: number
}

export const DEFAULT_LIMITS: Pop3Limits = {
  // RFC 1939 §3: at least ten minutes.
  idleMs: 10 * 60_000,
  strangerMs: 60_000,
  commandMs: 60_000,
  // RFC 2449 §4 asks for 255. A password has up to 1,024 bytes, in base64 with a name 1,800.
  lineBytes: 4_096,
  takesBareLf: true,
  writeMs: 60_000,
  handshakeMs: 20_000,
  failureMs: 1_000,
  failedSignIns: 3,
  badCommands: 20,
  strangerCommands: 50,
}
