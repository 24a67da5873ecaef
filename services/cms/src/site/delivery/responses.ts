import { hash } from 'node:crypto'
import { type Variants, variantsOf } from '@stoa/kit/http/compression.ts'
import type { ContentVersions } from './changes.ts'

/** A finished answer in the encodings asked for; the same one is sent again and again. */
export type Answer = Variants

/** Longer addresses are seldom asked for twice. */
const MAX_KEY_LENGTH = 2_000
/** Short text goes out in one piece with its head; longer text is kept as the bytes that it becomes. */
const MAX_TEXT_LENGTH = 16_384
/** What an answer needs besides its bytes. */
const OVERHEAD = 500

/** Answers of this process, each for as long as nothing that the public can see has changed. */
export type ResponseCache = {
  /** The answer from memory, or made anew. `key` names everything that it depends on but the content. */
  answer(key: string, make: () => Promise<string>): Answer | Promise<Answer>
}

type Generation = { answers: Map<string, Answer>; bytes: number }
const newGeneration = (): Generation => ({ answers: new Map(), bytes: 0 })

/** `maxBytes` 0: nothing is kept. */
export const createResponseCache = (versions: ContentVersions, maxBytes: number): ResponseCache => {
  // What is asked for moves to the young; when they fill their half, they become the old, and the old are dropped.
  let young = newGeneration()
  let old = newGeneration()
  let version = 0
  const underWay = new Map<string, Promise<Answer>>()
  /** What each answer takes, with its encodings; they count where it is now. */
  const sizes = new WeakMap<Answer, number>()

  const refresh = (): void => {
    if (version === versions.public()) return
    young = newGeneration()
    old = newGeneration()
    underWay.clear()
    version = versions.public()
  }
  const keep = (key: string, answer: Answer): void => {
    const bytes = sizes.get(answer) ?? 0
    if (bytes > maxBytes / 4) return
    if (young.bytes + bytes > maxBytes / 2) {
      old = young
      young = newGeneration()
    }
    young.answers.set(key, answer)
    young.bytes += bytes
  }
  const find = (key: string): Answer | undefined => {
    const found = young.answers.get(key)
    if (found) return found
    const older = old.answers.get(key)
    if (older) keep(key, older)
    return older
  }
  const fill = async (key: string, make: () => Promise<string>): Promise<Answer> => {
    const before = version
    try {
      const answer = toAnswer(await make(), (bytes) => {
        sizes.set(answer, (sizes.get(answer) ?? 0) + bytes)
        if (young.answers.get(key) === answer) young.bytes += bytes
      })
      sizes.set(answer, answer.plain.body.length + key.length + OVERHEAD)
      // What changed while it was made may not be in it.
      if (before === versions.public() && versions.isCurrent()) keep(key, answer)
      return answer
    } finally {
      if (before === version) underWay.delete(key)
    }
  }

  return {
    answer(key, make) {
      if (maxBytes === 0 || key.length > MAX_KEY_LENGTH || !versions.isCurrent())
        return make().then((text) => toAnswer(text))
      refresh()
      const found = find(key) ?? underWay.get(key)
      if (found) return found
      const filling = fill(key, make)
      underWay.set(key, filling)
      return filling
    },
  }
}

/** JSON with a strong validator over its bytes, worked out once. */
const toAnswer = (text: string, onKept?: (bytes: number) => void): Answer => {
  const body = text.length <= MAX_TEXT_LENGTH ? text : Buffer.from(text)
  const etag = `"${hash('sha1', body, 'base64url')}"`
  return variantsOf(body, { contentType: 'application/json; charset=utf-8', etag }, onKept)
}
