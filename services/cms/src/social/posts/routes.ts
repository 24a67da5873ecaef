import {
  createSocialPostInput,
  publishSocialPostInput,
  scheduleSocialPostInput,
  socialCalendar,
  socialCalendarQuery,
  socialOverview,
  socialPost,
  socialPostDetail,
  socialPostList,
  socialPostsQuery,
  updateSocialPostInput,
} from '@stoa/cms-model/social.ts'
import { versionEtag } from '@stoa/kit/http/etag.ts'
import { reply } from '@stoa/kit/http/route.ts'
import type { Ctx } from '../../context.ts'
import { needs, type Route, route } from '../../people/access/access.ts'
import { versionInput, wantedVersion } from '../../version-conflict.ts'
import { cancelPost, publishPost, schedulePost } from './actions.ts'
import { readCalendar, readOverview } from './overview.ts'
import { createPost, getAttempts, getPost, listPosts, removePost, updatePostOf, type WholePost } from './posts.ts'
import { idParams, overviewJson, postDetailJson, postJson } from './schema.ts'

/** Answers never use 304: the worker changes a post without raising its version. */
const tagged = <T>(body: T, { post }: WholePost) => reply(body, { headers: { etag: versionEtag(post.version) } })
const record = ({ config }: Ctx, whole: WholePost) => tagged(postJson(config, whole), whole)

export const socialPostRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/social/overview',
    summary: 'Read an overview: number of posts, next and latest posts, and connections that need attention',
    auth: ['session', 'agent'],
    access: needs('social.write'),
    output: socialOverview,
    run: async (ctx) => overviewJson(ctx.config, await readOverview(ctx)),
  }),
  route({
    method: 'GET',
    path: '/api/social/calendar',
    summary: "List posts by day, in the site's time zone",
    auth: ['session', 'agent'],
    access: needs('social.write'),
    query: socialCalendarQuery,
    output: socialCalendar,
    run: (ctx, { query }) => readCalendar(ctx, query.from, query.days),
  }),
  route({
    method: 'GET',
    path: '/api/social/posts',
    summary: 'List social posts, newest first',
    auth: ['session', 'agent'],
    access: needs('social.write'),
    query: socialPostsQuery,
    output: socialPostList,
    run: async (ctx, { query }) => {
      const { items, meta } = await listPosts(ctx, query)
      return { items: items.map((whole) => postJson(ctx.config, whole)), meta }
    },
  }),
  route({
    method: 'POST',
    path: '/api/social/posts',
    summary: 'Create a post for one or more accounts; it must follow the rules of all their networks',
    auth: ['session', 'agent'],
    access: needs('social.write'),
    body: createSocialPostInput,
    output: socialPost,
    status: 201,
    run: async (ctx, { body }) => record(ctx, await createPost(ctx, body)),
  }),
  route({
    method: 'GET',
    path: '/api/social/posts/:id',
    summary: 'Read a post with all attempts to send it',
    auth: ['session', 'agent'],
    access: needs('social.write'),
    params: idParams,
    output: socialPostDetail,
    run: async (ctx, { params }) => {
      const whole = await getPost(ctx, params.id)
      return tagged(postDetailJson(ctx.config, whole, await getAttempts(ctx, params.id)), whole)
    },
  }),
  route({
    method: 'PUT',
    path: '/api/social/posts/:id',
    summary: 'Update a post; targets that are already published keep their text and link',
    auth: ['session', 'agent'],
    access: needs('social.write'),
    params: idParams,
    body: updateSocialPostInput,
    output: socialPost,
    run: async (ctx, { params, body, request }) =>
      record(ctx, await updatePostOf(ctx, params.id, body, wantedVersion(request, body.version))),
  }),
  route({
    method: 'DELETE',
    path: '/api/social/posts/:id',
    summary: 'Delete a post; published posts stay on the networks',
    auth: ['session', 'agent'],
    access: needs('social.write'),
    params: idParams,
    body: versionInput,
    output: 'empty',
    run: async (ctx, { params, body, request }) => {
      await removePost(ctx, params.id, wantedVersion(request, body.version))
      return undefined
    },
  }),
  route({
    method: 'POST',
    path: '/api/social/posts/:id/schedule',
    summary: "Schedule all targets that aren't published yet",
    auth: ['session', 'agent'],
    access: needs('social.publish'),
    params: idParams,
    body: scheduleSocialPostInput,
    output: socialPost,
    run: async (ctx, { params, body, request }) =>
      record(ctx, await schedulePost(ctx, params.id, body.at, wantedVersion(request, body.version))),
  }),
  route({
    method: 'POST',
    path: '/api/social/posts/:id/publish',
    summary: "Publish or retry now, all targets that aren't published yet or some of them; waits for quick networks",
    auth: ['session', 'agent'],
    access: needs('social.publish'),
    params: idParams,
    body: publishSocialPostInput,
    output: socialPost,
    run: async (ctx, { params, body, request }) =>
      record(
        ctx,
        await publishPost(ctx, params.id, {
          targetIds: body.targetIds,
          wanted: wantedVersion(request, body.version),
        }),
      ),
  }),
  route({
    method: 'POST',
    path: '/api/social/posts/:id/cancel',
    summary: 'Cancel a scheduled post; it becomes a draft again',
    auth: ['session', 'agent'],
    access: needs('social.publish'),
    params: idParams,
    body: versionInput,
    output: socialPost,
    run: async (ctx, { params, body, request }) =>
      record(ctx, await cancelPost(ctx, params.id, wantedVersion(request, body.version))),
  }),
]
