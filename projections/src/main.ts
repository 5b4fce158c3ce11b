import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { ProjectionsModule } from './projections.module.js';

const app = await NestFactory.createApplicationContext(ProjectionsModule, { logger: ['error', 'fatal'] });
app.enableShutdownHooks();
