import { getDesign } from './get-design.ts'
import { getEntry } from './get-entry.ts'
import { getPageLayout } from './get-page-layout.ts'
import { getSiteSettings } from './get-site-settings.ts'
import { getSocialGuide } from './get-social-guide.ts'
import { getSocialSetup } from './get-social-setup.ts'
import { listContentTypes } from './list-content-types.ts'
import { listDeliveryKeys } from './list-delivery-keys.ts'
import { listEntries } from './list-entries.ts'
import { listMedia } from './list-media.ts'
import { listMenus } from './list-menus.ts'
import { listPeople } from './list-people.ts'
import { listPlugins } from './list-plugins.ts'
import { listRevisions } from './list-revisions.ts'
import { listSocialPosts } from './list-social-posts.ts'
import { listTaxonomies } from './list-taxonomies.ts'
import { listTrash } from './list-trash.ts'
import { listWebhooks } from './list-webhooks.ts'
import { openScreen } from './open-screen.ts'
import { searchSite } from './search-site.ts'
import type { Tool } from './tool.ts'

/** Tools that return content to the model: one line each. */
export const readTools: readonly Tool[] = [
  listContentTypes,
  listEntries,
  searchSite,
  getEntry,
  getPageLayout,
  listRevisions,
  listTrash,
  listMedia,
  listTaxonomies,
  getSiteSettings,
  getDesign,
  listMenus,
  listPlugins,
  listPeople,
  listDeliveryKeys,
  listWebhooks,
  getSocialSetup,
  getSocialGuide,
  listSocialPosts,
]

/** The only tool that acts: on the screen of the person who asked. */
export const moveTools: readonly Tool[] = [openScreen]
