import type { Me } from '@stoa/cms-model/accounts.ts'
import type { ActivityRecord } from '@stoa/cms-model/activity.ts'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { TextLink } from '@stoa/ui/navigation/link.tsx'
import { formatNumber } from '@stoa/ui/text/format.ts'
import { Fragment } from 'react'
import { may } from '../allowed.tsx'
import type { ActivityGroup } from './groups.ts'
import { actorName, kindOf, kindsOf, targetScreen, verbOf } from './words.ts'

const vias = { session: '', agent: 'Agent', system: 'System', assistant: 'Assistant', plugin: 'Plugin' } as const

/** There is one of each: the kind names it. */
const NAMELESS = ['settings', 'trash', 'visitor']
/** Up to this many targets are named, the others are counted. */
export const MOST_NAMED = 3

type SentenceProps = {
  me: Me
  group: ActivityGroup
  /** How the person who looks is called. */
  you?: string
}

/** A sentence about who did what to what, with links to the targets. */
export const ActivitySentence = ({ me, group, you }: SentenceProps) => {
  const { actor, via, action, kind, targets, times } = group
  const named = targets.filter(({ label }) => label !== '' && !NAMELESS.includes(kind)).slice(0, MOST_NAMED)
  const others = targets.length - named.length
  const isOne = targets.length === 1
  return (
    <span className="block min-w-0 whitespace-normal break-words font-normal">
      <span className="font-medium">{actor.id === me.id ? (you ?? actor.name) : actorName(group)}</span>{' '}
      {vias[via] === '' ? null : (
        <>
          <Badge>{vias[via]}</Badge>{' '}
        </>
      )}
      <span className="text-muted">
        {verbOf(action)} {isOne ? kindOf(kind) : kindsOf(kind, targets.length)}
        {isOne || named.length === 0 ? '' : ':'}
      </span>
      {named.map((target, index) => (
        <Fragment key={target.id ?? target.label}>
          {index === 0 ? ' ' : ', '}
          <ActivityTarget me={me} target={target} action={action} />
        </Fragment>
      ))}
      {!isOne && named.length > 0 && others > 0 ? (
        <span className="text-muted"> and {formatNumber(others)} more</span>
      ) : null}
      {isOne && times > 1 ? <span className="text-muted">, {formatNumber(times)} times</span> : null}
    </span>
  )
}

type ActivityTargetProps = { me: Me; target: ActivityRecord['target']; action: string }

/** A thing by its name, which leads to it where this person may go. */
export const ActivityTarget = ({ me, target, action }: ActivityTargetProps) => {
  const screen = targetScreen(target, action)
  const label = `“${target.label}”`
  return screen && may(me, screen.permission) ? <TextLink to={screen.to}>{label}</TextLink> : <span>{label}</span>
}
