import { z } from 'zod'
import type { Json } from '../../people/call-route/call-route.ts'
import type { StepEvent } from './events.ts'
import { failure } from './failures.ts'
import { shaped } from './shapes.ts'

/** The content of a message while it comes, block by block. */
export type Blocks = {
  /** Blocks by the provider's index. */
  readonly open: Map<number, Block>
  /** Finished blocks, in the form and order in which they must be sent again. */
  readonly done: Record<string, Json>[]
  /** False after an unknown block, which can't be sent again unchanged. */
  isKnown: boolean
}
type Block = { readonly start: Record<string, Json>; json: string }

export const createBlocks = (): Blocks => ({ open: new Map(), done: [], isKnown: true })

const blockStart = z.object({
  index: z.int(),
  content_block: z.looseObject({ type: z.string() }),
})
const toolUse = z.object({ id: z.string(), name: z.string(), input: z.unknown() })
const blockDelta = z.object({
  index: z.int(),
  delta: z.object({
    type: z.string(),
    text: z.string().optional(),
    partial_json: z.string().optional(),
    thinking: z.string().optional(),
    signature: z.string().optional(),
  }),
})
const blockStop = z.object({ index: z.int() })

const KNOWN = new Set(['text', 'thinking', 'redacted_thinking', 'tool_use'])

/** Reads the events of blocks. A call is given on when its block is whole. */
export function* readBlocks(blocks: Blocks, type: string, value: unknown): Generator<StepEvent> {
  if (type === 'content_block_start') {
    const { index, content_block } = shaped(blockStart, value)
    if (blocks.open.has(index)) throw failure('AI_BAD_RESPONSE')
    blocks.open.set(index, { start: content_block as Record<string, Json>, json: '' })
    const { text } = content_block
    if (content_block.type === 'text' && typeof text === 'string' && text !== '') yield { type: 'text', delta: text }
  } else if (type === 'content_block_delta') {
    const { index, delta } = shaped(blockDelta, value)
    const text = addDelta(openBlock(blocks, index), delta)
    if (text !== '') yield { type: 'text', delta: text }
  } else if (type === 'content_block_stop') {
    const { index } = shaped(blockStop, value)
    const block = openBlock(blocks, index)
    blocks.open.delete(index)
    yield* closeBlock(blocks, block)
  }
}

const openBlock = ({ open }: Blocks, index: number): Block => {
  const block = open.get(index)
  if (!block) throw failure('AI_BAD_RESPONSE')
  return block
}

/** The text that is for people, if it is one. */
const addDelta = (block: Block, delta: z.infer<typeof blockDelta>['delta']): string => {
  const { start } = block
  const append = (member: string, more = '') => {
    start[member] = `${typeof start[member] === 'string' ? start[member] : ''}${more}`
  }
  switch (delta.type) {
    case 'text_delta':
      append('text', delta.text)
      return delta.text ?? ''
    case 'input_json_delta':
      block.json += delta.partial_json ?? ''
      return ''
    case 'thinking_delta':
      append('thinking', delta.thinking)
      return ''
    case 'signature_delta':
      append('signature', delta.signature)
      return ''
    default:
      return ''
  }
}

function* closeBlock(blocks: Blocks, { start, json }: Block): Generator<StepEvent> {
  if (!KNOWN.has(String(start.type))) {
    blocks.isKnown = false
    return
  }
  if (start.type !== 'tool_use') {
    // The API rejects empty text blocks when they are sent again.
    if (start.type !== 'text' || start.text !== '') blocks.done.push(start)
    return
  }
  const { id, name, input } = shaped(toolUse, start)
  const args = json === '' ? ((input ?? {}) as Json) : readInput(json)
  if (typeof args === 'string') blocks.isKnown = false
  blocks.done.push({ ...start, input: args })
  yield { type: 'call', call: { id, name, args } }
}

const readInput = (json: string): Json => {
  try {
    return JSON.parse(json) as Json
  } catch {
    return json
  }
}
