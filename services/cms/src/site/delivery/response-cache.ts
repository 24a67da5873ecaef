import { createCipheriv, hash } from 'node:crypto'
import { type Variants, variantsOf } from '@stoa/kit/http/compression.ts'
import type { ContentVersions, Sources } from './changes.ts'

/** A finished answer in the encodings asked for; the same one is sent again and again. */
export type Answer = Variants

/** Longer addresses are seldom asked for twice. */
const MAX_KEY_LENGTH = 2_000
/** Short text goes out in one piece with its head; longer text is kept as the bytes that it becomes. */
const MAX_TEXT_LENGTH = 16_384
/** What an answer needs besides its bytes. */
const OVERHEAD = 500
const SOURCE_BYTES = 80

/** JSON, in one piece or in several. */
export type Json = string | readonly string[]

/** What an answer is made with: it adds everything that the text depends on. */
export type Make = (sources: Sources) => Promise<Json>

/** Answers of this process, each for as long as nothing that it was made of has changed. */
export type ResponseCache = {
  /** The answer from memory, or made anew. `key` names everything that it depends on but the content; `path` its route. */
  answer(key: string, path: string, make: Make): Answer | Promise<Answer>
  /** The answer if it is in memory and still holds, with the path of its route. */
  find(key: string): Held | undefined
}

export type Held = { readonly answer: Answer; readonly path: string }

/** `version`: the public version up to which it is known to hold. */
type Kept = Held & { sources: Sources; version: number; bytes: number }

type Generation = { answers: Map<string, Kept>; bytes: number }
const newGeneration = (): Generation => ({ answers: new Map(), bytes: 0 })

/** `maxBytes` 0: nothing is kept. `validatorKey`: the same in all processes, and nobody else's. */
export const createResponseCache = (
  versions: ContentVersions,
  { maxBytes, validatorKey }: { maxBytes: number; validatorKey: Buffer },
): ResponseCache => {
  // Two generations: reads move answers to the young one; when it fills its half, the old one is dropped and it becomes old.
  let young = newGeneration()
  let old = newGeneration()
  const underWay = new Map<string, { answer: Promise<Answer>; version: number }>()

  const keep = (key: string, kept: Kept): void => {
    if (kept.bytes > maxBytes / 4) return
    if (young.bytes + kept.bytes > maxBytes / 2) {
      old = young
      young = newGeneration()
    }
    young.answers.set(key, kept)
    young.bytes += kept.bytes
  }
  const drop = (key: string): void => {
    for (const generation of [young, old]) {
      const kept = generation.answers.get(key)
      if (kept && generation.answers.delete(key)) generation.bytes -= kept.bytes
    }
  }
  const isCurrent = (kept: Kept): boolean => {
    if (versions.hasChanged(kept.sources, kept.version)) return false
    kept.version = versions.public()
    return true
  }
  const find = (key: string): Kept | undefined => {
    const kept = young.answers.get(key) ?? old.answers.get(key)
    if (kept === undefined || !versions.isCurrent()) return undefined
    if (!isCurrent(kept)) {
      drop(key)
      return undefined
    }
    if (!young.answers.has(key)) keep(key, kept)
    return kept
  }
  const fill = async (key: string, path: string, make: Make): Promise<Answer> => {
    const version = versions.public()
    const sources: Sources = new Set()
    try {
      const text = await make(sources)
      const answer = toAnswer(text, validatorKey, (bytes) => {
        kept.bytes += bytes
        if (young.answers.get(key) === kept) young.bytes += bytes
      })
      const bytes = answer.plain.body.length + key.length + OVERHEAD + sources.size * SOURCE_BYTES
      // A change during the making may be missing from the answer, so it counts as made when it was begun.
      const kept: Kept = { answer, path, sources, version, bytes }
      keep(key, kept)
      return answer
    } finally {
      if (underWay.get(key)?.version === version) underWay.delete(key)
    }
  }

  return {
    find,
    answer(key, path, make) {
      if (maxBytes === 0 || key.length > MAX_KEY_LENGTH || !versions.isCurrent())
        return make(new Set()).then((text) => toAnswer(text, validatorKey))
      const found = find(key)
      if (found) return found.answer
      const version = versions.public()
      const making = underWay.get(key)
      if (making?.version === version) return making.answer
      const answer = fill(key, path, make)
      underWay.set(key, { answer, version })
      return answer
    },
  }
}

/** JSON with a strong validator over its bytes, worked out once. */
const toAnswer = (json: Json, validatorKey: Buffer, onKept?: (bytes: number) => void): Answer => {
  const pieces = typeof json === 'string' ? [json] : json
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const body = length <= MAX_TEXT_LENGTH ? pieces.join('') : bytesOf(pieces)
  const etag = `"${typeof body === 'string' ? hash('sha1', body, 'base64url') : authenticationCode(body, validatorKey)}"`
  return variantsOf(body, { contentType: 'application/json; charset=utf-8', etag }, onKept)
}

const NO_NONCE = Buffer.alloc(12)

/**
 * GMAC (NIST SP 800-38D), which takes a fifth of the time of SHA-1. Always with the same nonce it would not keep out a
 * forger; it only has to distinguish texts.
 */
const authenticationCode = (bytes: Buffer, key: Buffer): string => {
  const cipher = createCipheriv('aes-256-gcm', key, NO_NONCE)
  cipher.setAAD(bytes)
  cipher.final()
  return cipher.getAuthTag().toString('base64url')
}

/** Written piece by piece: a long text in between would be garbage that is costly to find. */
const bytesOf = (pieces: readonly string[]): Buffer => {
  const bytes = Buffer.allocUnsafe(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0))
  let end = 0
  for (const piece of pieces) end += bytes.write(piece, end)
  return bytes
}
