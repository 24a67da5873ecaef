/**
 * What the parsers keep, at most. The sender chooses a message's shape, so every list and every depth has a limit;
 * beyond it a message is still accepted and readable as bytes, and what was cut is noted.
 */
export const LIMITS = {
  /** Parts of one message, embedded messages included. What follows stays inside the last part. */
  parts: 1000,
  /** Parts inside each other. Deeper ones are opaque text. */
  depth: 100,
  /** Fields of one header. The rest of the header is skipped. */
  fields: 1000,
  /** All headers of a message together. */
  headerBytes: 1_048_576,
  /** All fields of a message together: each is an object wherever the structure is read. */
  allFields: 10_000,
  /** The bytes of a header field that are read for its value. */
  fieldBytes: 102_400,
  /** RFC 5322 has no limit; a longer name is no header field but text with a colon. */
  fieldNameBytes: 256,
  /** RFC 2046 §5.1.1 allows 70. */
  boundaryBytes: 256,
  /** Multiparts whose boundary is looked for in their body. Of the others the header is believed. */
  boundaryGuesses: 20,
  parameters: 100,
  /** RFC 2231 continuations of one parameter. */
  segments: 100,
  encodedWords: 500,
  addresses: 5000,
  messageIds: 1000,
  /** Comments inside comments; deeper parentheses are text. */
  commentDepth: 32,
} as const

/** Limits that took effect while a message was parsed. The order is part of the stored form: append only. */
export const CUTS = ['parts', 'depth', 'fields', 'headerBytes', 'boundaryBytes'] as const

export type Cut = (typeof CUTS)[number]
