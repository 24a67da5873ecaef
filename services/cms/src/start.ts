import { refuseTooManyConnections } from '@stoa/kit/db/connections.ts'
import { link } from '@stoa/kit/workers/link.ts'
import { type Given, storeDefinitions } from './content/host-definitions/host-definitions.ts'
import type { Ctx } from './context.ts'
import { bootstrapOwner, isSetUp } from './people/accounts/accounts.ts'
import { bootstrapDeliveryKey } from './people/delivery-keys/delivery-keys.ts'
import { autoEnable } from './plugins/registry/install.ts'

/** What a start does once the database is migrated and before anybody is served. */
export const prepareStart = async (ctx: Ctx, given: Given): Promise<void> => {
  await refuseTooManyConnections(ctx.db, {
    poolSize: ctx.config.poolSize,
    processes: link?.count ?? 1,
    variable: 'WORKERS',
  })
  await storeDefinitions(ctx, given)
  // Before the first account: what a person switched off later stays off.
  if (!(await isSetUp(ctx))) await autoEnable(ctx)
  await bootstrapOwner(ctx)
  await bootstrapDeliveryKey(ctx)
}
