import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Textarea } from '@stoa/ui/form/textarea.tsx'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { useShortcut } from '@stoa/ui/shortcuts/shortcuts.ts'
import { formatCount } from '@stoa/ui/text/format.ts'
import { useSuspenseQuery } from '@tanstack/react-query'
import { CalendarClock, Send } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { may } from '../../allowed.tsx'
import { meQuery } from '../../queries.ts'
import { dayIn } from '../calendar/days.ts'
import { offeredTime } from '../calendar/move.ts'
import { CALENDAR_PATH, editPath, POSTS_PATH, postPath } from '../paths.ts'
import { ScheduleDialog } from '../posts/schedule-dialog.tsx'
import { usePostActions } from '../posts/use-post-actions.ts'
import { useSiteZone } from '../queries.ts'
import type { SocialNetwork, SocialPost } from '../wire.ts'
import { AccountPicker } from './account-picker.tsx'
import { CaptionEditor } from './caption-editor.tsx'
import type { Draft } from './draft.ts'
import { altMax } from './limits.ts'
import { MediaTray } from './media-tray.tsx'
import { NetworkOptions } from './network-options.tsx'
import { PreviewCard } from './preview-card.tsx'
import { ProblemList } from './problem-list.tsx'
import { useComposer } from './use-composer.ts'

type ComposerProps = {
  initial: Draft
  post: SocialPost | null
  networks: readonly SocialNetwork[]
  /** The time to offer, from the calendar. */
  offered?: string | undefined
}

/** Writes one post for several networks. */
export const Composer = ({ initial, post, networks, offered }: ComposerProps) => {
  const { data: me } = useSuspenseQuery(meQuery)
  const composer = useComposer({ initial, post, networks })
  const { draft, setDraft, selected, problems, stored, dirty } = composer
  const [tab, setTab] = useState<string | null>(null)
  const side = useRef<HTMLDivElement>(null)
  const change = (changes: Partial<Draft>) => setDraft((now) => ({ ...now, ...changes }))
  const altMaxes = selected.flatMap((one) => altMax(one, draft.media[0]?.kind ?? 'image') ?? [])
  const ofAll = (key: string) => problems.find((problem) => problem.network === null && problem.key === key)?.message
  const actions = useSaving(composer, side)
  return (
    <>
      <title>{`${post ? 'Edit post' : 'New post'} · Social · Stoa CMS`}</title>
      <PageHeader
        title={post ? 'Edit post' : 'New post'}
        crumbs={[
          { label: 'Social', to: CALENDAR_PATH },
          { label: 'Posts', to: POSTS_PATH },
        ]}
      />
      <div className="grid min-w-0 items-start gap-6 lg:grid-cols-[1fr_18rem] xl:grid-cols-[1fr_23rem]">
        <div className="flex min-w-0 flex-col gap-6">
          {composer.failure === undefined ? null : <Notice tone="danger">{composer.failure}</Notice>}
          {stored?.status === 'scheduled' ? (
            <Notice>This post is scheduled. It stays scheduled with your changes.</Notice>
          ) : null}
          <AccountPicker
            networks={networks}
            chosen={draft.accountIds}
            locked={composer.done}
            error={ofAll('accountIds')}
            onChosen={(accountIds) => change({ accountIds })}
          />
          <CaptionEditor
            draft={draft}
            selected={selected}
            tab={tab}
            onTab={setTab}
            errors={{ all: composer.errorAt('caption'), own: (network) => composer.errorAt(`captions.${network}`) }}
            onDraft={setDraft}
          />
          <MediaTray
            media={draft.media}
            altMax={altMaxes.length > 0 ? Math.min(...altMaxes) : undefined}
            error={ofAll('media')}
            onMedia={(media) => change({ media })}
          />
          <Field
            label="Link"
            optional
            help="Shown as a link card, or added as the last line where a network has none."
            error={composer.errorAt('link')}
          >
            <Input
              type="url"
              inputMode="url"
              autoCapitalize="none"
              placeholder="https://"
              value={draft.link}
              onChange={({ target }) => change({ link: target.value })}
            />
          </Field>
          <NetworkOptions draft={draft} selected={composer.open} errorAt={composer.errorAt} onDraft={setDraft} />
          <Field label="Note" optional help="For your team only. It isn't posted." error={composer.errorAt('note')}>
            <Textarea rows={2} value={draft.note} onChange={({ target }) => change({ note: target.value })} />
          </Field>
        </div>
        <div ref={side} className="flex min-w-0 flex-col gap-4 lg:sticky lg:top-4">
          <ProblemList
            problems={problems}
            labelOf={(name) => networks.find(({ network }) => network === name)?.label ?? name}
            isEmpty={!composer.isReady}
          />
          <PreviewCard draft={draft} selected={selected} network={tab} onNetwork={setTab} />
        </div>
      </div>
      <div className="layer-sticky sticky bottom-4 mt-6 flex flex-wrap items-center gap-2 rounded-xl border border-line bg-raised px-4 py-3 shadow-md phone:bottom-2 phone:gap-1.5 phone:px-2.5 phone:[&_svg]:hidden phone:[&>button]:flex-1 phone:[&>button]:px-1">
        <span role="status" className="mr-auto text-faint text-xs phone:sr-only">
          {dirty ? 'Unsaved changes' : stored ? 'Saved' : ''}
        </span>
        <Button loading={composer.saving && actions.open === undefined} onClick={() => void actions.saveOnly()}>
          {stored && stored.status !== 'draft' ? 'Save changes' : 'Save draft'}
        </Button>
        {may(me, 'social.publish') ? (
          <>
            <Button icon={<Send />} onClick={() => actions.ask('publish')}>
              Publish now
            </Button>
            <Button variant="primary" icon={<CalendarClock />} onClick={() => actions.ask('schedule')}>
              {stored?.status === 'scheduled' ? 'Reschedule' : 'Schedule'}
            </Button>
          </>
        ) : (
          <span className="basis-full text-faint text-xs">An editor schedules and publishes it.</span>
        )}
      </div>
      {composer.dialog}
      <AskWhen
        actions={actions}
        stored={stored}
        offered={offered}
        count={draft.accountIds.length - composer.done.length}
      />
    </>
  )
}

type Ask = 'schedule' | 'publish'

/** Saving, and what comes after it. */
const useSaving = (composer: ReturnType<typeof useComposer>, side: { current: HTMLElement | null }) => {
  const navigateTo = useNavigateTo()
  const posts = usePostActions()
  const [open, setOpen] = useState<Ask>()
  const [goal, setGoal] = useState<string>()
  const { dirty, isReady } = composer
  // Once nothing is unsaved any more, nobody is asked on the way
  useEffect(() => {
    if (goal !== undefined && !dirty) navigateTo(goal)
  }, [goal, dirty, navigateTo])
  const showProblems = () =>
    requestAnimationFrame(() => side.current?.querySelector<HTMLElement>('[aria-label=Problems]')?.focus())
  const saveOnly = async () => {
    const isNew = composer.stored === null
    const saved = await composer.save()
    if (!saved) return showProblems()
    toast({ tone: 'success', title: saved.status === 'draft' ? 'Draft saved' : 'Post saved' })
    if (isNew) setGoal(editPath(saved.id))
  }
  useShortcut({ keys: 'mod+s', description: 'Save', group: 'Forms', onPress: () => void saveOnly() })
  return {
    open,
    close: () => setOpen(undefined),
    /** Known errors are shown before any confirmation. */
    ask: (what: Ask) => {
      if (isReady) return setOpen(what)
      void composer.save()
      showProblems()
    },
    saveOnly,
    schedule: async (at: string) => {
      const saved = await composer.save()
      if (!saved) return void showProblems()
      await posts.schedule(saved, at)
      setGoal(postPath(saved.id))
    },
    publish: async () => {
      const saved = await composer.save()
      if (!saved) return void showProblems()
      const sent = await posts.publish(saved)
      if (sent) setGoal(postPath(saved.id))
    },
  }
}

type AskWhenProps = {
  actions: ReturnType<typeof useSaving>
  stored: SocialPost | null
  offered: string | undefined
  count: number
}

const AskWhen = ({ actions, stored, offered, count }: AskWhenProps) => {
  const zone = useSiteZone()
  const now = new Date()
  const before = stored?.scheduledAt ?? offered
  const initial =
    before && Date.parse(before) > now.getTime() ? before : offeredTime(dayIn(zone, now.toISOString()), now, zone)
  return (
    <>
      {actions.open === 'schedule' ? (
        <ScheduleDialog title="Schedule post" initial={initial} onSchedule={actions.schedule} onClose={actions.close} />
      ) : null}
      <ConfirmDialog
        open={actions.open === 'publish'}
        onOpenChange={actions.close}
        title={`Publish to ${formatCount(count, 'account', 'accounts')} now?`}
        consequence="It's posted right away, and you can't undo that here."
        confirmLabel="Publish now"
        tone="primary"
        onConfirm={actions.publish}
      />
    </>
  )
}
