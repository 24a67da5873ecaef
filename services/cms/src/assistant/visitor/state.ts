import type { VisitorSettings } from '@stoa/cms-model/visitor.ts'
import { defaultVisitorSettings } from '@stoa/cms-model/visitor.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'
import { createReload } from '@stoa/kit/reload.ts'
import type { Tables } from '../../tables.ts'
import { type AnswerCache, createAnswerCache } from './cache.ts'
import { findVisitorSettings } from './queries.ts'

/** What the visitor assistant holds in this process. */
export type VisitorState = {
  /** The settings as they are; from memory while changes of them would arrive. */
  read(): Promise<VisitorSettings>
  /** Whether pages of this origin may ask, as far as this process knows. */
  allows(origin: string): boolean
  load(): Promise<void>
  readonly answers: AnswerCache
  close(): void
}

declare module '../../context.ts' {
  interface Ports {
    readonly visitor: VisitorState
  }
}

export const openVisitor = ({ database, bus }: { database: Database<Tables>; bus: Bus }): VisitorState => {
  let current: VisitorSettings = defaultVisitorSettings
  let isStale = true
  const load = createReload(async () => {
    isStale = false
    try {
      current = await findVisitorSettings(database.db)
    } catch (error) {
      isStale = true
      throw error
    }
  })
  const reload = () => {
    isStale = true
    return load()
  }
  const leave = bus.subscribe(({ topic }) => (topic === 'visitor' ? reload() : undefined), reload)
  return {
    async read() {
      if (isStale || !bus.connected) await load()
      return current
    },
    allows: (origin) => current.enabled && current.origins.includes(origin),
    load,
    answers: createAnswerCache(),
    close: leave,
  }
}
