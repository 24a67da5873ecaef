import type { Database, Db, Tx } from '@stoa/kit/db/database.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'
import type { Selectable } from 'kysely'
import type { InstanceSettingTable } from '../../tables/panel-accounts.ts'
import type { Tables } from '../../tables.ts'

/** The settings of the instance; `signups` is null until the owner has chosen. */
export type InstanceSettings = Omit<Selectable<InstanceSettingTable>, 'is_only' | 'updated_at'>

const DEFAULTS: InstanceSettings = {
  signups: null,
  dnsbl: [],
  dnswl: [],
  domain_dnsbl: [],
  greylisting: false,
  greylisting_minutes: 5,
}

const TOPIC = 'instance_setting'

export const findInstanceSettings = async (db: Db<Tables>): Promise<InstanceSettings> => {
  const [row] = await db.query<InstanceSettings>({
    name: 'find-instance-settings',
    text: `select signups, dnsbl, dnswl, domain_dnsbl, greylisting, greylisting_minutes from instance_setting`,
  })
  return row ?? DEFAULTS
}

export const putInstanceSettings = async (
  tx: Tx<Tables>,
  change: Partial<InstanceSettings>,
  now: Date,
): Promise<void> => {
  const row = { ...change, updated_at: now }
  await tx
    .insertInto('instance_setting')
    .values(row)
    .onConflict((conflict) => conflict.column('is_only').doUpdateSet(row))
    .execute()
  tx.changes.push({ topic: TOPIC, event: 'updated', data: {} })
}

/** The settings, kept in memory for those who ask with every message. */
export type KeptSettings = { current(): Promise<InstanceSettings>; close(): void }

/** Without a bus nothing is cached: a change made by another process could not be received. */
export const keepInstanceSettings = ({ db }: Pick<Database<Tables>, 'db'>, bus?: Bus): KeptSettings => {
  let kept: Promise<InstanceSettings> | null = null
  const forget = () => {
    kept = null
  }
  const leave = bus?.subscribe(({ topic }) => {
    if (topic === TOPIC) forget()
  }, forget)
  return {
    current() {
      if (!bus?.connected) return findInstanceSettings(db)
      if (kept) return kept
      const reading = findInstanceSettings(db)
      kept = reading
      reading.catch(() => {
        if (kept === reading) forget()
      })
      return reading
    },
    close: () => leave?.(),
  }
}
