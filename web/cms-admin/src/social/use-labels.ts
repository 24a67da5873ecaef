import { useQuery } from '@tanstack/react-query'
import { networksQuery } from './queries.ts'

/** The labels of networks; their internal names until the labels are loaded. */
export const useLabels = (): ((network: string) => string) => {
  const { data } = useQuery(networksQuery)
  return (network) => data?.items.find((one) => one.network === network)?.label ?? network
}
