import type { Shortcut } from '@stoa/kit/http/shortcut.ts'
import type { Services } from '../../context.ts'
import type { Route } from '../../people/access/access.ts'
import { isCountedAtOnce } from '../../people/delivery-keys/delivery-keys.ts'
import { deliveryRoutes } from './routes.ts'
import { deliveryRate } from './state.ts'
import { responseKey } from './view.ts'

const routes: ReadonlyMap<string, Route> = new Map(deliveryRoutes.map((route) => [route.path, route]))

/** Delivery's answers from memory, for keys that are held. Requests for a version of the API take the usual way. */
export const deliveryShortcut =
  ({ deliveryKeys, delivery }: Pick<Services, 'deliveryKeys' | 'delivery'>): Shortcut<Route> =>
  ({ headers, url = '' }) => {
    const token = headers['x-api-key']
    if (typeof token !== 'string' || headers['accept-version'] !== undefined) return null
    const key = deliveryKeys.held(token)
    // A refusal counts, and is said on the usual way; and only what is known at once can be counted once.
    if (key === undefined || key.isRevoked) return null
    const rate = deliveryRate(delivery)
    if (rate instanceof Promise || !isCountedAtOnce(deliveryKeys, key, rate)) return null
    const found = delivery.responses.find(responseKey(key.authenticated.principal, url))
    const route = found && routes.get(found.path)
    return route ? { route, answer: (request) => found.answer.answer(request) } : null
  }
