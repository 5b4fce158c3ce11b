import type { WinnersResponse } from '../../../contracts/http/rounds.js';
import { useApi } from './api/use-api.js';

export const WINNERS_KEY = ['/api', 'winners'] as const;

export const useWinners = () => useApi<WinnersResponse>(WINNERS_KEY);
