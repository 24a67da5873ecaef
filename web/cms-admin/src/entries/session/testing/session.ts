import { mock } from 'node:test'
import type { Entry } from '@stoa/cms-model/entries.ts'
import { createUndoStack } from '../../../undo-stack.ts'
import { createSession, type EditorSession } from '../session.ts'
import { indicatorOf } from '../session-state.ts'
import { newValues, valuesOf } from '../values.ts'
import { ANA, articleType, entryWith } from './entries.ts'
import { createService, type FakeService } from './service.ts'

/** Until everything that waits for nothing but promises is done. */
export const settle = async () => {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve()
}
/** Lets time pass on the mocked clock. */
export const pass = async (ms: number) => {
  mock.timers.tick(ms)
  await settle()
}

/** Ana's session at an entry, or at a new one. */
export const open = (
  entry: Entry | null = entryWith(),
  { service = createService(entry), stack = createUndoStack() } = {},
): { session: EditorSession; service: FakeService; merged: string[] } => {
  const merged: string[] = []
  const session = createSession({
    type: articleType,
    entry,
    values: entry ? valuesOf(entry) : newValues(articleType),
    locale: 'en',
    me: { id: ANA.id, role: 'editor' },
    requests: service.requests,
    onStored: () => undefined,
    onMerged: ({ updatedBy }, labels) => merged.push(`${updatedBy?.name}: ${labels.join(', ')}`),
    mayReplace: () => true,
    stack,
  })
  session.start()
  return { session, service, merged }
}
export const indicator = (session: EditorSession) => indicatorOf(session.state())
