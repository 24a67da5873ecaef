import { Button, IconButton } from '@stoa/ui/button/button.tsx'
import { Facts } from '@stoa/ui/display/facts.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Crash } from '@stoa/ui/feedback/error-boundary.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { Menu, MenuItem } from '@stoa/ui/layer/menu.tsx'
import { LinkButton, useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { CalendarClock, CalendarX2, Ellipsis, Pencil, RotateCw, Send, Share2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { may } from '../../allowed.tsx'
import { hasCode } from '../../api.ts'
import { meQuery } from '../../queries.ts'
import { dayIn } from '../calendar/days.ts'
import { offeredTime } from '../calendar/move.ts'
import { CALENDAR_PATH, editPath, POSTS_PATH } from '../paths.ts'
import { postQuery, useSiteZone } from '../queries.ts'
import { PostState } from '../statuses.tsx'
import { useLabels } from '../use-labels.ts'
import type { SocialPostDetail } from '../wire.ts'
import { PostContent } from './post-content.tsx'
import { nameOfPost } from './post-text.ts'
import { rightsOn } from './rights.ts'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { TargetRow } from './target-row.tsx'
import { momentIn, usePostActions } from './use-post-actions.ts'

/** One post and its status at every account. */
export const PostScreen = ({ id }: { id: string }) => {
  const query = useQuery(postQuery(id))
  if (query.data) return <PostView post={query.data} />
  if (!query.error) return <SkeletonText lines={8} />
  if (hasCode(query.error, 'NOT_FOUND'))
    return (
      <EmptyState
        isScreen
        icon={<Share2 />}
        title="This post doesn't exist"
        action={<LinkButton to={POSTS_PATH}>All posts</LinkButton>}
      >
        It may have been deleted. What was posted stays on the networks.
      </EmptyState>
    )
  return (
    <Crash title="Couldn't load this post" onRetry={() => void query.refetch()}>
      {messageOf(query.error)}
    </Crash>
  )
}

type Open = 'schedule' | 'delete' | { unsure: readonly string[] }

const PostView = ({ post }: { post: SocialPostDetail }) => {
  const { data: me } = useSuspenseQuery(meQuery)
  const [open, setOpen] = useState<Open>()
  const actions = usePostActions()
  const navigateTo = useNavigateTo()
  const zone = useSiteZone()
  const labelOf = useLabels()
  const rights = rightsOn(post, me)
  const failed = post.targets.filter(({ status }) => status === 'failed')
  const now = new Date()
  const close = () => setOpen(undefined)
  /** A post that may be live already is only resent after a person has checked. */
  const send = (ids: readonly string[]) => {
    const isUnsure = post.targets.some(({ id, error }) => ids.includes(id) && error?.code === 'OUTCOME_UNKNOWN')
    if (isUnsure) setOpen({ unsure: ids })
    else void actions.publish(post, ids)
  }
  return (
    <>
      <title>{`${nameOfPost(post)} · Social · Stoa CMS`}</title>
      <PageHeader
        title={<span className="line-clamp-2">{nameOfPost(post)}</span>}
        crumbs={[
          { label: 'Social', to: CALENDAR_PATH },
          { label: 'Posts', to: POSTS_PATH },
        ]}
        badge={<PostState status={post.status} />}
        description={
          post.status === 'scheduled' && post.scheduledAt
            ? `Goes out ${momentIn(zone, post.scheduledAt)} (${zone.replaceAll('_', ' ')}).`
            : undefined
        }
        actions={
          <>
            {rights.edit ? (
              <LinkButton to={editPath(post.id)} icon={<Pencil aria-hidden />}>
                Edit
              </LinkButton>
            ) : null}
            {rights.schedule ? (
              <Button icon={<CalendarClock />} onClick={() => setOpen('schedule')}>
                {post.status === 'scheduled' ? 'Reschedule' : 'Schedule'}
              </Button>
            ) : null}
            {rights.publish ? (
              <Button
                variant="primary"
                icon={<Send />}
                loading={actions.busy === 'publish'}
                onClick={() => send(post.targets.filter(({ status }) => status !== 'posted').map(({ id }) => id))}
              >
                Publish now
              </Button>
            ) : null}
            {rights.cancel || rights.remove ? (
              <Menu trigger={<IconButton variant="secondary" label="More actions" icon={<Ellipsis />} />}>
                {rights.cancel ? (
                  <MenuItem icon={<CalendarX2 />} onSelect={() => void actions.cancel(post)}>
                    Cancel schedule
                  </MenuItem>
                ) : null}
                {rights.remove ? (
                  <MenuItem icon={<Trash2 />} danger onSelect={() => setOpen('delete')}>
                    Delete post
                  </MenuItem>
                ) : null}
              </Menu>
            ) : null}
          </>
        }
      />
      <div className="grid min-w-0 items-start gap-6 lg:grid-cols-[1fr_20rem]">
        <Panel
          title="Accounts"
          flush
          actions={
            failed.length > 1 && rights.retry ? (
              <Button
                size="sm"
                icon={<RotateCw />}
                loading={actions.busy === 'publish'}
                onClick={() => send(failed.map(({ id }) => id))}
              >
                Retry all failed
              </Button>
            ) : undefined
          }
        >
          <ul className="divide-y divide-line">
            {post.targets.map((target) => (
              <TargetRow
                key={target.id}
                target={target}
                label={labelOf(target.network)}
                retrying={actions.busy === target.id}
                manages={may(me, 'social.manage')}
                {...(rights.retry ? { onRetry: () => send([target.id]) } : {})}
              />
            ))}
          </ul>
        </Panel>
        <div className="flex min-w-0 flex-col gap-6">
          <PostContent post={post} labelOf={labelOf} />
          <Panel title="Details">
            <Facts
              facts={[
                ...(post.scheduledAt ? [{ label: 'Scheduled', value: momentIn(zone, post.scheduledAt) }] : []),
                ...(post.note
                  ? [{ label: 'Note', value: <span className="whitespace-pre-line">{post.note}</span> }]
                  : []),
                { label: 'Created', value: <RelativeTime at={post.createdAt} /> },
                { label: 'Edited', value: <RelativeTime at={post.updatedAt} /> },
              ]}
            />
          </Panel>
        </div>
      </div>
      {open === 'schedule' ? (
        <ScheduleDialog
          title={post.status === 'scheduled' ? 'Reschedule post' : 'Schedule post'}
          initial={
            post.scheduledAt !== null && Date.parse(post.scheduledAt) > now.getTime()
              ? post.scheduledAt
              : offeredTime(dayIn(zone, now.toISOString()), now, zone)
          }
          onSchedule={async (at) => void (await actions.schedule(post, at))}
          onClose={close}
        />
      ) : null}
      <ConfirmDialog
        open={open === 'delete'}
        onOpenChange={close}
        title="Delete this post?"
        consequence="It won't be sent. What has already been posted stays on the networks."
        confirmLabel="Delete post"
        onConfirm={async () => {
          await actions.remove(post)
          navigateTo(POSTS_PATH)
        }}
      />
      <ConfirmDialog
        open={typeof open === 'object'}
        onOpenChange={close}
        title="Send again?"
        consequence="The network never confirmed the last attempt, so the post may already be live. Check the account first, or it may appear twice."
        confirmLabel="Send again"
        onConfirm={async () => {
          if (typeof open === 'object') await actions.publish(post, open.unsure)
        }}
      />
    </>
  )
}
