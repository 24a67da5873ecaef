import type { ContentType } from '@stoa/cms-model/content-types.ts'
import type { CreateEntryInput, Entry } from '@stoa/cms-model/entries.ts'
import type { MediaRecord } from '@stoa/cms-model/media.ts'
import type { Menu } from '@stoa/cms-model/menus.ts'
import type { Settings } from '@stoa/cms-model/settings.ts'
import type { SocialNetwork, SocialPost } from '@stoa/cms-model/social.ts'
import type { Taxonomy, Term } from '@stoa/cms-model/taxonomies.ts'
import type * as published from './records.ts'

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
type Accepts<A, B> = [B] extends [A] ? true : false
type Checks<T extends readonly true[]> = T

/** The published types stand alone: the compiler says here when they no longer follow what the service answers. */
export type RecordsFollow = Checks<
  [
    Same<published.Entry, Entry>,
    Same<published.MediaRecord, MediaRecord>,
    Same<published.Term, Term>,
    Same<published.Taxonomy, Taxonomy>,
    Same<published.Menu, Menu>,
    Same<published.SiteSettings, Settings>,
    Accepts<published.SocialPost, SocialPost>,
    Accepts<published.SocialNetwork, SocialNetwork>,
    Accepts<Omit<published.ContentType, 'fields'>, Omit<ContentType, 'fields'>>,
    Accepts<keyof CreateEntryInput, keyof published.NewEntry>,
  ]
>
