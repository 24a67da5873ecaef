import { Button } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQuery } from '@tanstack/react-query'
import { TypeLabel } from '../../types/type-label.tsx'
import { type MediaUse, usesQuery } from '../queries.ts'

/** The places that use a file, with links to them. */
export const UsesPanel = ({ id }: { id: string }) => {
  const query = useQuery(usesQuery(id))
  const uses = query.data?.items ?? []
  const more = (query.data?.meta.total ?? 0) - uses.length
  return (
    <Panel title="Used in">
      {query.error && !query.data ? (
        <Notice
          tone="danger"
          action={
            <Button size="sm" onClick={() => void query.refetch()}>
              Retry
            </Button>
          }
        >
          {messageOf(query.error)}
        </Notice>
      ) : !query.data ? (
        <SkeletonText lines={2} />
      ) : uses.length === 0 ? (
        <p className="text-muted text-sm">Not used anywhere. You can delete it safely.</p>
      ) : (
        <ul className="flex flex-col gap-2 text-sm">
          {uses.map((use) => (
            <li key={keyOfUse(use)} className="flex min-w-0 flex-wrap items-center gap-2">
              <Use use={use} />
            </li>
          ))}
          {more > 0 ? <li className="text-faint">and {more} more</li> : null}
        </ul>
      )}
    </Panel>
  )
}

/** The name of a place, in words. */
export const nameOfUse = (use: MediaUse): string => {
  if (use.kind === 'entry') return use.title || use.slug
  if (use.kind === 'design') return `Design: ${use.surfaceLabel}, ${use.label}`
  if (use.kind === 'social') return `Social post: ${use.caption.split('\n')[0] || 'no text'}`
  return use.key === 'logoId' ? 'Settings: logo' : 'Settings: social image'
}

const keyOfUse = (use: MediaUse): string => {
  if (use.kind === 'entry' || use.kind === 'social') return use.id
  return use.kind === 'design' ? `${use.surface} ${use.key}` : use.key
}

const Use = ({ use }: { use: MediaUse }) => {
  if (use.kind === 'design') return <span>{nameOfUse(use)}</span>
  if (use.kind === 'social') return <TextLink to={`/social/posts/${use.id}`}>{nameOfUse(use)}</TextLink>
  if (use.kind === 'settings') return <TextLink to="/settings">{nameOfUse(use)}</TextLink>
  const isDeleted = use.deletedAt !== null
  return (
    <>
      <TextLink to={isDeleted ? '/trash' : `/content/${use.type}/${use.id}`}>{nameOfUse(use)}</TextLink>
      <span className="text-faint text-xs">
        <TypeLabel name={use.type} />
      </span>
      {isDeleted ? (
        <Badge>In the trash</Badge>
      ) : use.live ? (
        <Badge tone="live">Live</Badge>
      ) : (
        <Badge tone="draft">{use.status === 'published' ? 'Unpublished changes' : 'Draft'}</Badge>
      )}
    </>
  )
}
