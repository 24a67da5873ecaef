import { Crash } from '@stoa/ui/feedback/error-boundary.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { NewType } from './new-type.tsx'
import { typeQuery, typesQuery } from './queries.ts'
import { SavedType } from './saved-type.tsx'

/** One content type; the name `new` begins one. */
export const TypeScreen = ({ name }: { name: string }) =>
  name === 'new' ? <NewScreen /> : <SavedScreen key={name} name={name} />

const NewScreen = () => {
  const types = useQuery(typesQuery)
  const from = useUrlState().get('from')
  if (types.isPending) return <SkeletonText lines={8} />
  return <NewType key={from} from={from} types={types.data?.items ?? []} />
}

const SavedScreen = ({ name }: { name: string }) => {
  const [deleting, setDeleting] = useState(false)
  const query = useQuery({ ...typeQuery(name), enabled: !deleting })
  const types = useQuery(typesQuery)
  if (query.data)
    return <SavedType type={query.data} types={types.data?.items ?? [query.data]} onDeleting={setDeleting} />
  if (!query.error) return <SkeletonText lines={8} />
  return (
    <Crash title="Couldn't load this content type" onRetry={() => void query.refetch()}>
      {messageOf(query.error)}
    </Crash>
  )
}
