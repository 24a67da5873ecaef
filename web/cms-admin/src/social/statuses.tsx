import { Status, type Tone } from '@stoa/ui/display/badge.tsx'
import type { SocialStatus, TargetStatus, TargetStep } from './wire.ts'

/** Every status in the order of a post's life. */
export const postStates = {
  draft: { label: 'Draft', tone: 'draft' },
  scheduled: { label: 'Scheduled', tone: 'scheduled' },
  publishing: { label: 'Publishing', tone: 'accent' },
  posted: { label: 'Posted', tone: 'live' },
  partial: { label: 'Partly posted', tone: 'draft' },
  failed: { label: 'Failed', tone: 'failed' },
} as const satisfies Record<SocialStatus, { label: string; tone: Tone }>

export const isStatus = (text: string): text is SocialStatus => Object.hasOwn(postStates, text)

export const PostState = ({ status }: { status: SocialStatus | TargetStatus }) => (
  <Status tone={postStates[status].tone}>{postStates[status].label}</Status>
)

/** The current step of publishing to a target. */
export const stepWords: Record<TargetStep, string> = {
  prepare: 'Preparing media',
  upload: 'Uploading',
  wait: 'Waiting for the network',
  committing: 'Posting',
  confirm: 'Getting the link',
}
