import { Fault } from '@stoa/kit/errors.ts'
import { type JsonLimits, parseJson } from '@stoa/kit/http/json.ts'
import type { Json } from './types.ts'

/** A value of 1 MiB may have many members; it may not be deep, or meant for the prototype of what reads it. */
const LIMITS: JsonLimits = { maxDepth: 64, maxKeys: 300_000, maxItems: 300_000 }

/** Parses JSON of a plugin as strictly as an HTTP body; undefined if it is invalid. */
export const parseGuestJson = (text: string): Json | undefined => {
  try {
    return parseJson(text, LIMITS) as Json
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}
