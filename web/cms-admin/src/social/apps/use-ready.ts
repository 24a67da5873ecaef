import { useQuery } from '@tanstack/react-query'
import { accountsQuery } from '../queries.ts'

/** Whether accounts of a network can be connected; only the service knows whether a secret is stored. Undefined at first. */
export const useReady = (network: string): boolean | undefined => {
  const { data } = useQuery(accountsQuery)
  return data?.items.find((one) => one.network === network)?.appReady
}
