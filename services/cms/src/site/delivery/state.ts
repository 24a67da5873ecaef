import { subKey } from '@stoa/kit/crypto/seal.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Bus } from '@stoa/kit/events/bus.ts'
import type { MaybePromise } from '@stoa/kit/http/route.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { Config } from '../../config.ts'
import type { HostDefinitions } from '../../content/host-definitions/host-definitions.ts'
import type { Tables } from '../../tables.ts'
import type { DesignState } from '../design/design.ts'
import { type ContentVersions, watchContent } from './changes.ts'
import { createListIds, type ListIds } from './list-ids.ts'
import { createPositions, type Positions } from './positions.ts'
import { createResponseCache, type ResponseCache } from './response-cache.ts'
import { createSiteCache, type SiteCache } from './site.ts'
import { createTotals, type Totals } from './totals.ts'

/** What delivery holds in this process. */
export type DeliveryCaches = {
  readonly versions: ContentVersions
  readonly site: SiteCache
  readonly totals: Totals
  readonly positions: Positions
  readonly listIds: ListIds
  readonly responses: ResponseCache
  close(): void
}

declare module '../../context.ts' {
  interface Ports {
    readonly delivery: DeliveryCaches
  }
}

type Parts = {
  database: Database<Tables>
  bus: Bus
  log: Log
  config: Pick<Config, 'deliveryCacheBytes' | 'secret'>
  host: Pick<HostDefinitions, 'visual' | 'onChange'>
  design: Pick<DesignState, 'onChange'>
}

export const openDelivery = (parts: Parts): DeliveryCaches => {
  const versions = watchContent(parts.bus)
  // Which texts are delivered with formatting depends on them.
  const stopHost = parts.host.onChange(versions.forget)
  // A page rendered with the previous design, after its change was announced, must not be cached.
  const stopDesign = parts.design.onChange(versions.forget)
  return {
    versions,
    site: createSiteCache(parts.database.db, versions, parts.host),
    totals: createTotals(parts.database.db, versions),
    positions: createPositions(versions),
    listIds: createListIds(versions),
    responses: createResponseCache(versions, {
      maxBytes: parts.config.deliveryCacheBytes,
      validatorKey: subKey(parts.config.secret, 'delivery validators'),
    }),
    close() {
      stopHost()
      stopDesign()
      versions.close()
    },
  }
}

/** How many requests a delivery key may make in a minute. */
export const deliveryRate = ({ site }: Pick<DeliveryCaches, 'site'>): MaybePromise<number | null> => {
  const read = site.read()
  return read instanceof Promise
    ? read.then(({ settings }) => settings.deliveryRatePerMinute)
    : read.settings.deliveryRatePerMinute
}
