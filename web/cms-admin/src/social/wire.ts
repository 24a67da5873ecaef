import type { SocialAccounts, SocialCalendar, SocialNetwork, SocialPostDetail } from '@stoa/cms-model/social.ts'

export type {
  NetworkOption,
  PostStatus as SocialStatus,
  SocialAccount,
  SocialAttempt,
  SocialNetwork,
  SocialOverview,
  SocialPost,
  SocialPostDetail,
  TargetStatus,
  TargetStep,
} from '@stoa/cms-model/social.ts'
export type { AppOverrides, SocialApp } from '@stoa/cms-model/social-apps.ts'

export type CalendarItem = SocialCalendar['items'][number]
export type NetworkAccounts = SocialAccounts['items'][number]
/** An account as the composer offers it. */
export type PickableAccount = SocialNetwork['accounts'][number]
/** A target of one post, with every try. */
export type DetailTarget = SocialPostDetail['targets'][number]
