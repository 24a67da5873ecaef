import { buttonClass } from '@stoa/ui/button/button-class.ts'
import { appBase } from '@stoa/ui/request/request.ts'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { contentPath } from '../../content-path.ts'
import { typesQuery } from '../../types/queries.ts'

/** A new entry of a type, in another tab: nothing here is left. */
export const CreateLink = ({ type }: { type: string }) => {
  const { data } = useQuery(typesQuery)
  const label = data?.items.find(({ name }) => name === type)?.label ?? type
  return (
    <a
      href={`${appBase()}${contentPath(type)}/new`}
      target="_blank"
      rel="noreferrer"
      aria-label={`New ${label.toLowerCase()} in a new tab`}
      className={buttonClass('ghost')}
    >
      <Plus aria-hidden />
      New
    </a>
  )
}
