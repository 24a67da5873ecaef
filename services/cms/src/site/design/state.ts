import { isDeepStrictEqual } from 'node:util'
import type { DeliveredDesign } from '@stoa/cms-model/design.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'
import type { Log } from '@stoa/kit/log.ts'
import { createReload } from '@stoa/kit/reload.ts'
import type { Config } from '../../config.ts'
import { HOST, type HostDefinitions } from '../../content/host-definitions/host-definitions.ts'
import type { Tables } from '../../tables.ts'
import { resolveDesign, toDelivered } from './resolve.ts'

/** The looks as this process knows them, for a host that renders its pages in the same process. */
export type DesignState = {
  /** At once, from memory. */
  current(): DeliveredDesign
  /** Reads what is stored. */
  load(): Promise<void>
  /** As `load`, but failures are only logged: the change notifies this process as well, which tries again. */
  reload(): Promise<void>
  /** Called when `current` gives something else from now on. */
  onChange(listener: () => void): () => void
  close(): void
}

declare module '../../context.ts' {
  interface Ports {
    readonly design: DesignState
  }
}

type Parts = {
  database: Database<Tables>
  bus: Bus
  log: Log
  config: Config
  host: HostDefinitions
}

export const openDesign = ({ database, bus, log, config, host }: Parts): DesignState => {
  let current: DeliveredDesign = { surfaces: [], css: '' }
  let pictures: ReadonlyMap<string, string> = new Map()
  const listeners = new Set<() => void>()

  const load = createReload(async () => {
    // The host's declaration decides what is read, and may have changed at the same moment.
    await host.load()
    const resolved = await resolveDesign({ db: database.db, config, host })
    pictures = resolved.pictures
    const next = toDelivered(resolved)
    if (isDeepStrictEqual(next, current)) return
    current = next
    for (const listener of [...listeners]) listener()
  })
  const reload = () => load().catch((error: unknown) => log.warn({ err: error }, 'the design was not read'))
  const leave = bus.subscribe(({ topic, data }) => {
    const isConcerned = topic === 'design' || topic === HOST || (topic === 'media' && pictures.has(String(data.id)))
    return isConcerned ? load() : undefined
  }, load)
  return {
    current: () => current,
    load,
    reload,
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: leave,
  }
}
