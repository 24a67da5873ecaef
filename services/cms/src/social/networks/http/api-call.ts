import type { AccountReach } from '../network.ts'
import type { NetworkReply, NetworkRequest } from './http.ts'

/** Who calls. */
export type SignedReach = Pick<AccountReach, 'http' | 'endpoints' | 'accessToken' | 'now'>

export type ApiRequest = Omit<NetworkRequest, 'url' | 'authorization'> & { path: string }

/** One call below the address of the API, in the name of an account. */
export const callApi = (reach: SignedReach, { path, ...request }: ApiRequest): Promise<NetworkReply> =>
  reach.http({ ...request, url: `${reach.endpoints.apiBase}${path}`, authorization: bearer(reach) })

export const bearer = ({ accessToken }: Pick<SignedReach, 'accessToken'>) =>
  ({ scheme: 'Bearer', value: accessToken }) as const
