import { isDeepStrictEqual } from 'node:util'
import { type DesignManifest, designManifest } from '@stoa/cms-model/design.ts'
import { type VisualDefinitions, visualDefinitions } from '@stoa/cms-model/visual.ts'
import { type WebsiteManifest, websiteManifest } from '@stoa/cms-model/website.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'
import type { Log } from '@stoa/kit/log.ts'
import { createReload } from '@stoa/kit/reload.ts'
import type { CmsDb, CmsTx, Ctx } from '../../context.ts'
import type { Tables } from '../../tables.ts'

/** What a host declares about its pages. */
export type Declared = {
  /** Pages that can be edited on the page itself, by content type. */
  readonly visual: VisualDefinitions
  /** The parts that all pages share. */
  readonly website: WebsiteManifest | null
  /** What of its looks people may change. */
  readonly design: DesignManifest | null
}

/** What a host gives at its start: what is absent stays as it was stored, and null erases it. */
export type Given = { [K in keyof Declared]?: Declared[K] | null }

/** The definitions that hold now, in every process of this database; those of the last start of a host. */
export type HostDefinitions = Declared & {
  /** Reads what is stored. */
  load(): Promise<void>
  /** Called when other definitions hold from now on. */
  onChange(listener: () => void): () => void
  close(): void
}

declare module '../../context.ts' {
  interface Ports {
    readonly host: HostDefinitions
  }
}

const NOTHING: Declared = { visual: {}, website: null, design: null }
const SCHEMAS = { visual: visualDefinitions, website: websiteManifest, design: designManifest }
/** The topic of their changes. */
export const HOST = 'host'

type Parts = { database: Database<Tables>; bus: Bus; log: Log }

export const openHostDefinitions = ({ database, bus, log }: Parts): HostDefinitions => {
  let declared = NOTHING
  const listeners = new Set<() => void>()

  const load = createReload(async () => {
    const next = understood(await listDefinitions(database.db), log)
    if (isDeepStrictEqual(next, declared)) return
    declared = next
    for (const listener of [...listeners]) listener()
  })
  const leave = bus.subscribe(({ topic }) => (topic === HOST ? load() : undefined), load)
  return {
    get visual() {
      return declared.visual
    },
    get website() {
      return declared.website
    },
    get design() {
      return declared.design
    },
    load,
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: leave,
  }
}

/** Stores what the host gave at this start. The same again changes nothing and sends no event. */
export const storeDefinitions = async (ctx: Pick<Ctx, 'tx' | 'host' | 'now'>, given: Given): Promise<void> => {
  const kinds = (['visual', 'website', 'design'] as const).filter((kind) => given[kind] !== undefined)
  if (kinds.length > 0)
    await ctx.tx(async (tx) => {
      let changed = false
      for (const kind of kinds) {
        // Members that are undefined are lost in storage, and must not count as a change.
        const definition: unknown = JSON.parse(JSON.stringify(given[kind]))
        const stored = await lockDefinition(tx, kind)
        if (isDeepStrictEqual(stored, definition)) continue
        if (definition === null) await deleteDefinition(tx, kind)
        else await putDefinition(tx, { kind, definition, at: ctx.now() })
        changed = true
      }
      if (changed) tx.changes.push({ topic: HOST, event: 'host.updated', data: {} })
    })
  await ctx.host.load()
}

/** A version of this program that knew other members may have stored it: what cannot be understood is as if absent. */
const understood = (rows: readonly { kind: keyof Declared; definition: unknown }[], log: Log): Declared =>
  Object.assign(
    { ...NOTHING },
    ...rows.map(({ kind, definition }) => {
      const parsed = SCHEMAS[kind].safeParse(definition)
      if (parsed.success) return { [kind]: parsed.data }
      log.warn({ kind, issues: parsed.error.issues.slice(0, 3) }, 'a stored definition of the host is not understood')
      return {}
    }),
  )

type Kind = 'visual' | 'website' | 'design'

const listDefinitions = (db: CmsDb): Promise<{ kind: Kind; definition: unknown }[]> =>
  db.selectFrom('host_definition').select(['kind', 'definition']).execute()

/** What is stored under this kind, unchanged until the transaction ends; null when there is nothing. */
const lockDefinition = async (tx: CmsTx, kind: Kind): Promise<unknown> => {
  const row = await tx
    .selectFrom('host_definition')
    .select('definition')
    .where('kind', '=', kind)
    .forUpdate()
    .executeTakeFirst()
  return row?.definition ?? null
}

const putDefinition = async (
  tx: CmsTx,
  { kind, definition, at }: { kind: Kind; definition: unknown; at: Date },
): Promise<void> => {
  const text = JSON.stringify(definition)
  await tx
    .insertInto('host_definition')
    .values({ kind, definition: text, stored_at: at })
    .onConflict((conflict) => conflict.column('kind').doUpdateSet({ definition: text, stored_at: at }))
    .execute()
}

const deleteDefinition = async (tx: CmsTx, kind: Kind): Promise<void> => {
  await tx.deleteFrom('host_definition').where('kind', '=', kind).execute()
}
