import { ConfigError } from '@stoa/kit/config.ts'
import { type Given, storeDefinitions } from './content/host-definitions/host-definitions.ts'
import type { CmsDb, Ctx } from './context.ts'
import { bootstrapOwner, isSetUp } from './people/accounts/accounts.ts'
import { bootstrapDeliveryKey } from './people/delivery-keys/delivery-keys.ts'
import { autoEnable } from './plugins/registry/install.ts'

/** Left for other programs, backups and whoever repairs the database. */
const SPARE_CONNECTIONS = 10
/** Besides the pool, a process listens on one. */
const LISTENING_CONNECTIONS = 1

/** What a start does once the database is migrated and before anybody is served. */
export const prepareStart = async (ctx: Ctx, given: Given): Promise<void> => {
  await refuseTooManyConnections(ctx)
  await storeDefinitions(ctx, given)
  // Before the first account: what a person switched off later stays off.
  if (!(await isSetUp(ctx))) await autoEnable(ctx)
  await bootstrapOwner(ctx)
  await bootstrapDeliveryKey(ctx)
}

/** Found at the start rather than under load, when the last connections would be refused. */
const refuseTooManyConnections = async (ctx: Ctx): Promise<void> => {
  const offered = (await findMaxConnections(ctx.db)) - SPARE_CONNECTIONS
  const needed = ctx.config.poolSize + LISTENING_CONNECTIONS
  if (needed <= offered) return
  throw new ConfigError([
    {
      name: 'DB_POOL_SIZE',
      problem: `${ctx.config.poolSize} is more than the database allows. Set ${offered - LISTENING_CONNECTIONS} or less, or raise its max_connections.`,
    },
  ])
}

/** How many connections the server takes, from everybody together. */
export const findMaxConnections = async (db: CmsDb): Promise<number> => {
  const [row] = await db.query<{ max: number }>({ text: `select current_setting('max_connections')::integer as max` })
  return row?.max ?? 0
}
