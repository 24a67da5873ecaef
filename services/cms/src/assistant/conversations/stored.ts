import { aiKind } from '@stoa/cms-model/ai.ts'
import {
  type AssistantError,
  assistantContext,
  assistantError,
  type TurnPart,
  turnPart,
} from '@stoa/cms-model/assistant.ts'
import { z } from 'zod'
import type { Json } from '../../people/call-route/call-route.ts'
import { storableText } from '../providers/providers.ts'

const json = z.custom<Json>((value) => value !== undefined)

/** One exchange with the model, as later turns replay it. */
export const storedStep = z.object({
  text: z.string(),
  calls: z.array(z.object({ id: z.string(), name: z.string(), args: json })),
  results: z.array(z.object({ callId: z.string(), name: z.string(), content: z.string(), isError: z.boolean() })),
  replay: z.object({ kind: aiKind, model: z.string(), blocks: json }).nullable(),
  /** Which versions of records the results have shown: `kind/id` and the version. */
  read: z.array(z.tuple([z.string(), z.int()])),
})
export type StoredStep = z.infer<typeof storedStep>

export const storedSteps = z.array(storedStep)
export const storedParts = z.array(turnPart)
export const storedError = assistantError.nullable()
export const storedContext = assistantContext.nullable()

/** All text of a turn together, as it came. */
export const textOf = (parts: readonly TurnPart[]): string =>
  parts
    .filter((part) => part.kind === 'text')
    .map(({ text }) => text)
    .join('')

/** The error of a turn that was stopped, or whose process is gone. */
export const INTERRUPTED: AssistantError = {
  code: 'AI_STREAM_INTERRUPTED',
  message: 'The service was stopped before the answer was finished. Try again.',
  retryable: true,
  providerText: null,
}

/**
 * JSON text that PostgreSQL stores: it knows neither NUL nor half of a surrogate pair. What a model says has neither; what
 * was cut to a length, or said by a provider about an error, may.
 */
export const toStored = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) => (typeof member === 'string' ? storableText(member) : member))
