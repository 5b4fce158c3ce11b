import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CommunityPost, PublishPostRequest } from '../../../../contracts/http/community.js';
import { get } from '../../shared/api/api-client.js';
import { useCommand } from '../../shared/api/use-command.js';
import { useRefreshOn } from '../../shared/live/use-refresh-on.js';

/** Specification §9, polling. */
const POLLED_EVERY_MS = 30_000;

/** Newest first. */
export const postsQuery = queryOptions({
  queryKey: ['/api', 'community', 'posts'] as const,
  queryFn: ({ queryKey, signal }) => get<CommunityPost[]>(queryKey, signal),
  refetchInterval: POLLED_EVERY_MS,
});

export function usePosts() {
  useRefreshOn('community:new_post', postsQuery.queryKey);
  return useQuery(postsQuery);
}

export function usePublishPost() {
  const client = useQueryClient();
  const command = useCommand<unknown, PublishPostRequest>('POST', (body) => ({
    path: '/api/community/posts',
    body,
  }));
  const publish = async (post: PublishPostRequest): Promise<void> => {
    await command.mutateAsync(post);
    await client.invalidateQueries({ queryKey: postsQuery.queryKey });
  };
  return { publish, isPending: command.isPending };
}
