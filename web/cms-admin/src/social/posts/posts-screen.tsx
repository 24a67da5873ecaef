import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { pagerOf } from '../../list-pages.ts'
import { NetworkMarks } from '../network-mark.tsx'
import { NEW_POST_PATH, POSTS_PATH, postPath } from '../paths.ts'
import { postsQuery } from '../queries.ts'
import { SocialFrame } from '../social-frame.tsx'
import { isStatus, PostState, postStates } from '../statuses.tsx'
import { useLabels } from '../use-labels.ts'
import type { SocialPost } from '../wire.ts'
import { PostThumb } from './post-line.tsx'
import { nameOfPost, networksOf, postedAt } from './post-text.ts'
import { PostTime } from './post-time.tsx'

const Networks = ({ post }: { post: SocialPost }) => <NetworkMarks networks={networksOf(post)} labelOf={useLabels()} />

const When = ({ post }: { post: SocialPost }) => {
  const at = postedAt(post) ?? post.scheduledAt
  return at ? <PostTime at={at} /> : <span className="text-faint">Not scheduled</span>
}

const columns: readonly [Column<SocialPost>, ...Column<SocialPost>[]] = [
  {
    id: 'caption',
    header: 'Post',
    cell: (post) => (
      <span className="flex min-w-0 items-center gap-3">
        <PostThumb media={post.media} />
        <span className="truncate">{nameOfPost(post)}</span>
      </span>
    ),
  },
  { id: 'status', header: 'Status', lineOnPhone: true, cell: (post) => <PostState status={post.status} /> },
  { id: 'networks', header: 'Networks', hideOnPhone: true, cell: (post) => <Networks post={post} /> },
  { id: 'at', header: 'Goes out', lineOnPhone: true, cell: (post) => <When post={post} /> },
  {
    id: 'updated',
    header: 'Edited',
    cell: (post) => <RelativeTime at={post.updatedAt} />,
    hideOnPhone: true,
    isSpare: true,
  },
]

/** Every post, newest first. */
export const PostsScreen = () => {
  const url = useUrlState()
  const status = isStatus(url.get('status')) ? url.get('status') : ''
  const query = useQuery(postsQuery({ status, page: readPage(url.get('page')) }))
  return (
    <SocialFrame current={POSTS_PATH}>
      <DataTable
        label="Posts"
        columns={columns}
        state={listState({ data: query.data?.items, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={({ id }) => id}
        rowName={nameOfPost}
        rowTo={({ id }) => postPath(id)}
        toolbar={
          <Select
            aria-label="Any status"
            className="max-w-44"
            value={status}
            options={[
              { value: '', label: 'Any status' },
              ...Object.entries(postStates).map(([value, { label }]) => ({ value, label })),
            ]}
            onValue={(next) => url.set({ status: next, page: '' })}
          />
        }
        onClearFilters={status === '' ? undefined : () => url.set({ status: '', page: '' })}
        empty={
          <EmptyState
            drawing="calendar"
            title="No posts yet"
            action={
              <LinkButton to={NEW_POST_PATH} variant="primary" icon={<Plus aria-hidden />}>
                New post
              </LinkButton>
            }
          >
            Write once, adapt it for each network, and schedule it.
          </EmptyState>
        }
        {...(query.data ? { pager: pagerOf(query.data, (page) => url.set({ page: `${page}` })) } : {})}
      />
    </SocialFrame>
  )
}
