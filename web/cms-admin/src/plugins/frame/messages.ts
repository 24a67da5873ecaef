import type { Ask, FromFrame } from '@stoa/cms-plugin/bridge-protocol.ts'
import { z } from 'zod'

const MAX_TEXT = 500
const id = z.int().min(0)
const text = z.string().min(1).max(MAX_TEXT)
const key = z.string().min(1).max(100)

const asks = [
  z.strictObject({
    id,
    ask: z.literal('request'),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    path: z.string().startsWith('/').max(2_000),
    body: z.unknown().optional(),
  }),
  z.strictObject({ id, ask: z.literal('toast'), text, kind: z.enum(['info', 'success', 'error']).optional() }),
  z.strictObject({
    id,
    ask: z.literal('navigate'),
    to: z.union([
      z.strictObject({ screen: key }),
      z.strictObject({ entry: z.string().min(1).max(100) }),
      z.strictObject({ social: z.string().min(1).max(100) }),
    ]),
  }),
  z.strictObject({ id, ask: z.literal('pickMedia'), kind: z.enum(['image', 'video', 'any']).optional() }),
  z.strictObject({ id, ask: z.literal('pickEntry'), types: z.array(key).max(100).optional() }),
  z.strictObject({
    id,
    ask: z.literal('confirm'),
    title: text,
    text: text.optional(),
    button: z.string().min(1).max(40).optional(),
    isDangerous: z.boolean().optional(),
  }),
] as const

const message = z.union([z.strictObject({ tell: z.literal('height'), height: z.number().min(0) }), ...asks])

/** Parses a message from a frame; undefined when it is not a valid one. */
export const readMessage = (data: unknown): FromFrame | undefined => {
  const read = message.safeParse(data)
  // zod's types of optional members also hold undefined
  return read.success ? (read.data as FromFrame) : undefined
}

/** The address of a plugin's request; undefined when it is outside the plugin's own routes. */
export const routeAddress = (plugin: string, path: string, origin: string): string | undefined => {
  const root = `/ext/${plugin}/`
  // A backslash and dots, also encoded ones, are gone after this
  const url = URL.canParse(`/ext/${plugin}${path}`, origin) ? new URL(`/ext/${plugin}${path}`, origin) : undefined
  if (url === undefined || url.origin !== origin || !url.pathname.startsWith(root)) return undefined
  return `${url.pathname}${url.search}`
}

export type { Ask }
