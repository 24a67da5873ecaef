import type { Entry } from '@stoa/cms-model/entries.ts'
import { RequestError } from '@stoa/ui/request/request.ts'
import type { EntryChanges } from '../../queries.ts'
import type { SessionOptions } from '../session-context.ts'
import type { Changes } from '../values.ts'
import { ANA, entryWith } from './entries.ts'

/** A service with one entry that can be made to answer badly, late, or not at all. */
export type FakeService = {
  entry: Entry | null
  /** Every write that arrived. */
  writes: (EntryChanges & { version?: number })[]
  /** The answer to the next writes, one each; undefined lets it through. */
  answers: (RequestError | undefined)[]
  /** Done, but the answer is lost. */
  loseAnswers: boolean
  /** While set, writes wait for it. */
  gate: Promise<void> | undefined
  requests: SessionOptions['requests']
  /** Simulates changes by someone else. */
  others: (changes: Partial<Entry>) => void
}

export const refusal = (status: number, code: string, fields: { key: string; message: string }[] = []): RequestError =>
  new RequestError({ message: code, fields }, status, code, { body: { error: code, code, details: { fields } } })

export const createService = (entry: Entry | null): FakeService => {
  const service: FakeService = {
    entry,
    writes: [],
    answers: [],
    loseAnswers: false,
    gate: undefined,
    requests: {
      create: (changes) =>
        write(changes, () => entryWith({ ...changes, slug: changes.slug ?? 'made-by-service', version: 1 })),
      update: (_, { mode, autosave, ...changes }, version) =>
        write({ ...changes, ...(mode ? { mode } : {}), ...(autosave ? { autosave } : {}), version }, () => {
          const now = service.entry ?? entryWith()
          if (version !== now.version) throw refusal(409, 'VERSION_CONFLICT')
          return { ...now, ...changes, data: { ...now.data, ...changes.data }, version: version + 1, updatedBy: ANA }
        }),
      read: async () => {
        if (service.entry === null) throw refusal(404, 'NOT_FOUND')
        return service.entry
      },
    },
    others: (changes) => {
      const now = service.entry ?? entryWith()
      service.entry = { ...now, ...changes, version: now.version + 1 }
    },
  }
  const write = async (sent: Changes & { version?: number }, apply: () => Entry): Promise<Entry> => {
    await service.gate
    service.writes.push(sent)
    const answer = service.answers.shift()
    if (answer) throw answer
    service.entry = apply()
    if (service.loseAnswers) throw refusal(0, 'no_answer')
    return service.entry
  }
  return service
}
