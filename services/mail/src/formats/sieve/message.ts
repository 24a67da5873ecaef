/** What Sieve sees of a message. The parser of mail satisfies it; tests and other callers can build it by hand. */
export type SieveMessage = {
  /** Octets of the whole message as it arrived. */
  readonly size: number
  /** The message as a part: its header fields are those of the message. */
  readonly root: SievePart
  /** Everything after the header, with no encoding undone; null when not even a blank line follows it. */
  body(): MaybePromise<string | null>
}

export type SieveHeader = {
  readonly name: string
  /** The value after the colon; folding and encoded words are kept. */
  readonly raw: string
  /** Unfolded, encoded words read, no blanks around it. */
  readonly decoded: string
}

export type SievePart = {
  readonly headers: readonly SieveHeader[]
  /** Both halves of the media type in lower case; `text` and `plain` when the part does not say. */
  readonly type: string
  readonly subtype: string
  /** Parts of a multipart; the one message inside a message/rfc822. */
  readonly parts: readonly SievePart[]
  /** The content with the transfer encoding decoded. */
  content(): MaybePromise<Uint8Array>
  /** The content decoded to text; of a multipart, the text around its parts. */
  text(): MaybePromise<string>
  /** For a multipart with parts: the text before the first and after the last one. */
  around?(): MaybePromise<readonly [prologue: string, epilogue: string]>
}

export type MaybePromise<T> = T | Promise<T>

/** The SMTP envelope. An empty `from` is the null sender. */
export type SieveEnvelope = {
  readonly from: string | null
  readonly to: string | null
  /** The authenticated submitter, where there was one. */
  readonly auth?: string | null
}

/** One line of an edited header: a field of the message as it arrived, by its index, or a new one. */
export type HeaderLine = { readonly original: number } | { readonly name: string; readonly value: string }

/** A change of the body (RFC 5703). `path` leads to the part: the index of each child on the way from the root. */
export type BodyEdit =
  | {
      readonly kind: 'replace'
      readonly path: readonly number[]
      /** The new text, or a whole MIME part with its header when `mime`. */
      readonly text: string
      readonly mime: boolean
      readonly subject: string | null
      readonly from: string | null
    }
  | {
      readonly kind: 'enclose'
      readonly subject: string | null
      /** Names of header fields that the script wants copied from the enclosed message. */
      readonly headers: readonly string[]
      readonly text: string
      /** The version of the message that is enclosed. */
      readonly message: MessageEdits
    }

/** How a message differs from what arrived when an action takes it. */
export type MessageEdits = {
  /**
   * The whole header from top to bottom, or null while it is untouched. After a change of the body as a whole, the code that
   * writes the new body also writes its Content fields and leaves out those that stand here.
   */
  readonly headers: readonly HeaderLine[] | null
  /** In the order in which they have to be made. */
  readonly body: readonly BodyEdit[]
}

export const noEdits: MessageEdits = { headers: null, body: [] }

/** Header fields of a name, which is compared without regard to case. */
export const headersNamed = (headers: readonly SieveHeader[], name: string): SieveHeader[] => {
  const wanted = name.toLowerCase()
  return headers.filter((header) => header.name.toLowerCase() === wanted)
}

/** The part and all below it, from the top down, at most `limit` of them. */
export const partsBelow = (part: SievePart, limit: number): SievePart[] => {
  const found: SievePart[] = []
  const open = [part]
  for (let here = open.pop(); here !== undefined && found.length < limit; here = open.pop()) {
    found.push(here)
    for (let index = here.parts.length - 1; index >= 0; index -= 1) {
      const child = here.parts[index]
      if (child) open.push(child)
    }
  }
  return found
}

const MIME_LABEL = /^[\t ]*([^\s;/]+)\/([^\s;]+)/

/** The media type that a Content-Type says, or text/plain. */
export const mediaTypeOf = (headers: readonly SieveHeader[]): { type: string; subtype: string } => {
  const found = MIME_LABEL.exec(headersNamed(headers, 'content-type')[0]?.decoded ?? '')
  return { type: found?.[1]?.toLowerCase() ?? 'text', subtype: found?.[2]?.toLowerCase() ?? 'plain' }
}
