import { Module } from '@nestjs/common';
import { LiveGateway } from './live.gateway.js';
import { PostsAndTicketsFollower } from './posts-and-tickets.follower.js';
import { SocketSessions } from './socket-sessions.js';

@Module({ providers: [LiveGateway, PostsAndTicketsFollower, SocketSessions] })
export class LiveModule {}
