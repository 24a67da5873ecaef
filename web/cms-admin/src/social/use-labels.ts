import { useQuery } from '@tanstack/react-query'
import { networksQuery } from './queries.ts'

/** What networks are called; their own name until it is known. */
export const useLabels = (): ((network: string) => string) => {
  const { data } = useQuery(networksQuery)
  return (network) => data?.items.find((one) => one.network === network)?.label ?? network
}
