import type { Method } from '@stoa/kit/egress/methods.ts'
import type { Secret } from '@stoa/kit/secret.ts'

/** For a part of an upload, and for the call that makes a post live. */
export const LONG_TIMEOUT_MS = 60_000

/** At least 250 kB a second, so that a large part has the time it needs. */
export const uploadTimeoutMs = (bytes: number): number => Math.max(LONG_TIMEOUT_MS, Math.ceil(bytes / 250))

export type NetworkBody =
  | { form: Readonly<Record<string, string | undefined>> }
  | { json: unknown }
  | { multipart: readonly FormPart[] }
  | { bytes: AsyncIterable<Uint8Array> | Uint8Array; length: number; type: string }

/** A part of a multipart form; a file's length is known, so that the whole has a length. */
export type FormPart =
  | { name: string; value: string }
  | {
      name: string
      filename: string
      type: string
      bytes: AsyncIterable<Uint8Array> | Uint8Array
      length: number
    }

export type NetworkRequest = {
  method?: Method
  url: string
  query?: Readonly<Record<string, string | number | undefined>>
  headers?: Readonly<Record<string, string>>
  /** Sent as `Authorization`; only to the origins of the endpoints, or to an address that the network handed out. */
  authorization?: { scheme: 'Bearer' | 'OAuth' | 'Basic'; value: Secret }
  body?: NetworkBody
  /** The address came from the network in an earlier answer: an upload address, a session. */
  isHandedOut?: true
  /** 15 seconds if absent. */
  timeoutMs?: number
}

/** Answers of every status; redirects are answers. */
export type NetworkReply = {
  status: number
  headers: Headers
  /** What the body says, or undefined when it is no JSON. */
  json: unknown
  text: string
}

/**
 * One exchange with a network. It throws `LineCut` when no answer came, or only a part of one; it throws a
 * `NetworkFailure` of kind `config` for an address that may not be reached.
 */
export type NetworkHttp = (request: NetworkRequest) => Promise<NetworkReply>

/** No response came: whether the network did what it was asked is unknown. */
export class LineCut extends Error {
  constructor(cause: unknown) {
    super("The network didn't respond", { cause })
    this.name = 'LineCut'
  }
}
