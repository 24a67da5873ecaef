import { useQuery } from '@tanstack/react-query'
import { typesQuery } from './queries.ts'

/** What people call a type; its name until that is known. */
export const TypeLabel = ({ name }: { name: string }) => {
  const { data } = useQuery(typesQuery)
  return <>{data?.items.find((type) => type.name === name)?.label ?? name}</>
}
