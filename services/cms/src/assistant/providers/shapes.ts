import type { z } from 'zod'
import type { Json } from '../../people/call-route/call-route.ts'
import { failure } from './failures.ts'
import type { Connected, ModelMessage } from './types.ts'

/** What a provider sent, in the form that it is documented to have. */
export const shaped = <S extends z.ZodType>(schema: S, value: unknown): z.output<S> => {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw failure('AI_BAD_RESPONSE', { cause: parsed.error })
  return parsed.data
}

/** Providers take objects only, also for arguments that could not be read. */
export const argsObject = (args: Json): Json =>
  typeof args === 'object' && args !== null && !Array.isArray(args) ? args : { value: args }

type AssistantMessage = Extract<ModelMessage, { role: 'assistant' }>

/** The blocks that this very provider and model gave; nobody else can read them. */
export const ownBlocks = ({ kind, model }: Connected, { replay }: AssistantMessage): Json | null =>
  replay !== null && replay.kind === kind && replay.model === model ? replay.blocks : null
