import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { Instance, instanceInput } from '@stoa/mail-model/instance.ts'
import type { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { ownerOf, recordAct } from '../../hosting/audit/audit.ts'
import type { InstanceSettingTable } from '../../tables/panel-accounts.ts'
import type { Tables } from '../../tables.ts'

/** Whether others than the first may sign up: what the owner decided, or SIGNUPS until then. */
export const signupsOf = async (db: Db<Tables>, config: { signups: Signups }): Promise<Signups> =>
  (await findSignups(db)) ?? config.signups

export const getInstance = async (ctx: Ctx): Promise<Instance> => ({
  object: 'instance',
  signups: await signupsOf(ctx.db, ctx.config),
})

export const updateInstance = async (ctx: Ctx, { signups }: z.output<typeof instanceInput>): Promise<Instance> => {
  if (signups === undefined) return getInstance(ctx)
  await ctx.tx(async (tx) => {
    await putSignups(tx, signups, ctx.now())
    await recordAct(tx, ownerOf(ctx), { action: 'instance.updated', target: null, detail: { signups } })
  })
  ctx.log.info({ signups }, 'instance settings changed')
  return { object: 'instance', signups }
}

type Signups = InstanceSettingTable['signups']

const findSignups = async (db: Db<Tables>): Promise<Signups | undefined> =>
  (await db.selectFrom('instance_setting').select('signups').executeTakeFirst())?.signups

const putSignups = async (tx: Tx<Tables>, signups: Signups, now: Date): Promise<void> => {
  await tx
    .insertInto('instance_setting')
    .values({ signups, updated_at: now })
    .onConflict((conflict) => conflict.column('is_only').doUpdateSet({ signups, updated_at: now }))
    .execute()
}
