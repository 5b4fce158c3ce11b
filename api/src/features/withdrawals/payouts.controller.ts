import { Body, Controller, Get, UseGuards } from '@nestjs/common';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsString, MaxLength } from 'class-validator';
import type * as http from '../../../../contracts/http/withdrawals.js';
import { MAX_PAYOUTS_PER_BATCH, PAYOUT_CODE_MAX_LENGTH } from '../../../../contracts/limits.js';
import type { CommandMetadata } from '../../../../domain/ledger/ledger-commands.js';
import { adminOr, SteppedUp } from '../../http/guards.js';
import { Metadata, PostCommand } from '../../http/session.js';
import { optionalText, refuseAs } from '../../http/validation.js';
import { Config } from '../../platform/config.js';
import { PayoutBatches } from './payout-batches.js';

const invalidChoice = refuseAs('withdrawals-required');

export class OrderPayoutsDto implements http.OrderPayoutsRequest {
  @ArrayUnique(invalidChoice)
  @MaxLength(64, { ...invalidChoice, each: true })
  @IsString({ ...invalidChoice, each: true })
  @ArrayMaxSize(MAX_PAYOUTS_PER_BATCH, invalidChoice)
  @ArrayMinSize(1, invalidChoice)
  @IsArray(invalidChoice)
  withdrawalIds!: string[];

  @optionalText(PAYOUT_CODE_MAX_LENGTH, 'payout-code-required', 'The code must be text') code?: string;
}

@Controller('api/admin/payouts')
@UseGuards(adminOr('money'))
export class PayoutsController {
  constructor(
    private readonly batches: PayoutBatches,
    private readonly config: Config,
  ) {}

  /** Whether the gateway makes payouts here. */
  @Get()
  read(): http.PayoutsByGateway {
    return { isOn: this.config.payments?.payoutsByGateway ?? false };
  }

  /** Orders the payouts of withdrawals from the gateway, or enters the code of their batch. */
  @PostCommand('')
  @UseGuards(SteppedUp)
  order(@Metadata() { actor }: CommandMetadata, @Body() { withdrawalIds, code }: OrderPayoutsDto) {
    return this.batches.order(withdrawalIds, code ?? '', actor);
  }
}
