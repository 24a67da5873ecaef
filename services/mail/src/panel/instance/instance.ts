import type { Db } from '@stoa/kit/db/database.ts'
import type { Instance, InstanceInput } from '@stoa/mail-model/instance.ts'
import type { Ctx } from '../../context.ts'
import { ownerOf, recordAct } from '../../hosting/audit/audit.ts'
import {
  findInstanceSettings,
  type InstanceSettings,
  putInstanceSettings,
} from '../../hosting/instance-settings/instance-settings.ts'
import type { Tables } from '../../tables.ts'

type Signups = Instance['signups']

/** Whether others than the first may sign up: what the owner decided, or SIGNUPS until then. */
export const signupsOf = async (db: Db<Tables>, config: { signups: Signups }): Promise<Signups> =>
  (await findInstanceSettings(db)).signups ?? config.signups

export const getInstance = async (ctx: Ctx): Promise<Instance> => instanceJson(ctx, await findInstanceSettings(ctx.db))

export const updateInstance = async (ctx: Ctx, input: InstanceInput): Promise<Instance> => {
  const detail = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
  if (Object.keys(detail).length === 0) return getInstance(ctx)
  const settings = await ctx.tx(async (tx) => {
    await putInstanceSettings(tx, detail, ctx.now())
    await recordAct(tx, ownerOf(ctx), { action: 'instance.updated', target: null, detail })
    return findInstanceSettings(tx)
  })
  ctx.log.info(detail, 'instance settings changed')
  return instanceJson(ctx, settings)
}

const instanceJson = ({ config }: Ctx, settings: InstanceSettings): Instance => ({
  object: 'instance',
  signups: settings.signups ?? config.signups,
  dnsbl: settings.dnsbl,
  dnswl: settings.dnswl,
  domain_dnsbl: settings.domain_dnsbl,
  greylisting: settings.greylisting,
  greylisting_minutes: settings.greylisting_minutes,
})
